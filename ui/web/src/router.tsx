import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Lost } from './pages/Lost.tsx';
import { Stage } from './pages/stage/Stage.tsx';
import { Shell } from './shell/Shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: Lost });

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
  component: lazyRouteComponent(() => import('./pages/house/RolesPage.tsx'), 'RolesPage'),
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
  component: lazyRouteComponent(() => import('./pages/house/SettingsPage.tsx'), 'SettingsPage'),
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
  ]),
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
