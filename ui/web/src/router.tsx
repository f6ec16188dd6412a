import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Broken } from './pages/Broken.tsx';
import { Lost } from './pages/Lost.tsx';
import { Stage } from './pages/stage/Stage.tsx';
import { Shell } from './shell/Shell.tsx';

/** said keeps the parameters of a page and drops what is none. */
const said =
  <K extends string>(...names: K[]) =>
  (search: Record<string, unknown>): { [P in K]?: string } => {
    const out: { [P in K]?: string } = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === 'string' && value !== '') out[name] = value;
    }
    return out;
  };

// Any page may be looked over: ?peek= names the agent that is looked at.
const root = createRootRoute({ component: Shell, notFoundComponent: Lost, validateSearch: said('peek') });

const parent = { getParentRoute: () => root };

export const stageRoute = createRoute({
  ...parent,
  path: '/',
  validateSearch: said('status', 'q', 'view'),
  component: Stage,
});
export const agentRoute = createRoute({
  ...parent,
  path: '/agents/$id',
  validateSearch: said('tab'),
  component: lazyRouteComponent(() => import('./pages/agent/AgentPage.tsx'), 'AgentPage'),
});
export const groupRoute = createRoute({
  ...parent,
  path: '/groups/$id',
  validateSearch: said('tab'),
  component: lazyRouteComponent(() => import('./pages/group/GroupPage.tsx'), 'GroupPage'),
});
export const tasksRoute = createRoute({
  ...parent,
  path: '/tasks',
  validateSearch: said('status', 'q'),
  component: lazyRouteComponent(() => import('./pages/tasks/TasksPage.tsx'), 'TasksPage'),
});
export const taskRoute = createRoute({
  ...parent,
  path: '/tasks/$id',
  validateSearch: said('tab'),
  component: lazyRouteComponent(() => import('./pages/tasks/TaskPage.tsx'), 'TaskPage'),
});
export const flowRoute = createRoute({
  ...parent,
  path: '/flow',
  validateSearch: said('task', 'view', 'kinds', 'thinking'),
  component: lazyRouteComponent(() => import('./pages/flow/FlowPage.tsx'), 'FlowPage'),
});
export const rolesRoute = createRoute({
  ...parent,
  path: '/roles',
  validateSearch: said('role'),
  component: lazyRouteComponent(() => import('./pages/roles/RolesPage.tsx'), 'RolesPage'),
});
export const evalsRoute = createRoute({
  ...parent,
  path: '/evals',
  validateSearch: said('status'),
  component: lazyRouteComponent(() => import('./pages/evals/EvalsPage.tsx'), 'EvalsPage'),
});
export const evalRoute = createRoute({
  ...parent,
  path: '/evals/$id',
  validateSearch: said('tab', 'round'),
  component: lazyRouteComponent(() => import('./pages/evals/EvalPage.tsx'), 'EvalPage'),
});
export const runsRoute = createRoute({
  ...parent,
  path: '/runs',
  validateSearch: said('status'),
  component: lazyRouteComponent(() => import('./pages/runs/RunsPage.tsx'), 'RunsPage'),
});
export const runRoute = createRoute({
  ...parent,
  path: '/runs/$id',
  validateSearch: said('tab', 'step'),
  component: lazyRouteComponent(() => import('./pages/runs/RunPage.tsx'), 'RunPage'),
});
export const chatHomeRoute = createRoute({
  ...parent,
  path: '/chat',
  component: lazyRouteComponent(() => import('./pages/chat/ChatHome.tsx'), 'ChatHome'),
});
export const chatRoute = createRoute({
  ...parent,
  path: '/chat/$id',
  component: lazyRouteComponent(() => import('./pages/chat/ChatPage.tsx'), 'ChatPage'),
});
export const searchRoute = createRoute({
  ...parent,
  path: '/search',
  validateSearch: said('q', 'in', 'path', 'intent', 'by', 'open'),
  component: lazyRouteComponent(() => import('./pages/search/SearchPage.tsx'), 'SearchPage'),
});
export const approvalsRoute = createRoute({
  ...parent,
  path: '/approvals',
  component: lazyRouteComponent(() => import('./pages/approvals/ApprovalsPage.tsx'), 'ApprovalsPage'),
});
export const costRoute = createRoute({
  ...parent,
  path: '/cost',
  validateSearch: said('by'),
  component: lazyRouteComponent(() => import('./pages/cost/CostPage.tsx'), 'CostPage'),
});
export const healthRoute = createRoute({
  ...parent,
  path: '/health',
  component: lazyRouteComponent(() => import('./pages/house/HealthPage.tsx'), 'HealthPage'),
});
export const historyRoute = createRoute({
  ...parent,
  path: '/history',
  validateSearch: said('group', 'status', 'role', 'q', 'by', 'sort'),
  component: lazyRouteComponent(() => import('./pages/history/HistoryPage.tsx'), 'HistoryPage'),
});
export const actorsRoute = createRoute({
  ...parent,
  path: '/actors',
  component: lazyRouteComponent(() => import('./pages/house/ActorsPage.tsx'), 'ActorsPage'),
});
export const settingsRoute = createRoute({
  ...parent,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/SettingsPage.tsx'), 'SettingsPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    stageRoute,
    agentRoute,
    groupRoute,
    tasksRoute,
    taskRoute,
    flowRoute,
    rolesRoute,
    healthRoute,
    historyRoute,
    actorsRoute,
    settingsRoute,
    evalsRoute,
    evalRoute,
    runsRoute,
    runRoute,
    approvalsRoute,
    chatHomeRoute,
    chatRoute,
    searchRoute,
    costRoute,
  ]),
  defaultErrorComponent: Broken,
  // Plain parameters: an address that a person can read, write and send on.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(
      Object.entries(search).filter((e): e is [string, string] => typeof e[1] === 'string' && e[1] !== ''),
    ).toString();
    return text ? `?${text}` : '';
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
