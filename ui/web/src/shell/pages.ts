import {
  BadgeDollarSign,
  Boxes,
  Clapperboard,
  FileSearch,
  Gauge,
  HeartPulse,
  History,
  Inbox,
  ListTree,
  type LucideIcon,
  MessagesSquare,
  Route,
  Settings,
  UsersRound,
  Waypoints,
} from 'lucide-react';
import type { Words } from '../i18n/index.ts';

export interface Page {
  to:
    | '/'
    | '/flow'
    | '/tasks'
    | '/evals'
    | '/runs'
    | '/approvals'
    | '/chat'
    | '/search'
    | '/cost'
    | '/history'
    | '/roles'
    | '/actors'
    | '/health'
    | '/settings';
  name: keyof Words['nav'];
  icon: LucideIcon;
  key: string; // after g
}

/** The pages of the rail, in its two parts. */
export const pages: readonly Page[] = [
  { to: '/', name: 'stage', icon: Clapperboard, key: 's' },
  { to: '/flow', name: 'flow', icon: Waypoints, key: 'f' },
  { to: '/tasks', name: 'tasks', icon: ListTree, key: 't' },
  { to: '/runs', name: 'runs', icon: Route, key: 'x' },
  { to: '/chat', name: 'chat', icon: MessagesSquare, key: 'd' },
  { to: '/evals', name: 'evals', icon: Gauge, key: 'e' },
  { to: '/approvals', name: 'approvals', icon: Inbox, key: 'i' },
  { to: '/search', name: 'search', icon: FileSearch, key: 'q' },
  { to: '/history', name: 'history', icon: History, key: 'h' },
];

export const house: readonly Page[] = [
  { to: '/roles', name: 'roles', icon: UsersRound, key: 'r' },
  { to: '/actors', name: 'actors', icon: Boxes, key: 'a' },
  { to: '/health', name: 'health', icon: HeartPulse, key: 'c' },
  { to: '/cost', name: 'cost', icon: BadgeDollarSign, key: 'm' },
  { to: '/settings', name: 'settings', icon: Settings, key: ',' },
];

/** The name of the page at a path. */
export function titleOf(path: string, t: Words): string {
  if (path.startsWith('/agents/')) return t.agent.title;
  if (path.startsWith('/groups/')) return t.group.title;
  if (path.startsWith('/tasks/')) return t.task.title;
  if (path.startsWith('/runs/')) return t.nav.runs;
  if (path.startsWith('/chat/')) return t.nav.chat;
  if (path.startsWith('/evals/')) return t.nav.evals;
  const page = [...pages, ...house].find((p) => p.to === path);
  return page ? t.nav[page.name] : t.lost.title;
}
