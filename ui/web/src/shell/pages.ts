import {
  Boxes,
  Clapperboard,
  HeartPulse,
  History,
  ListTree,
  type LucideIcon,
  Settings,
  UsersRound,
  Waypoints,
} from 'lucide-react';
import type { Words } from '../i18n/index.ts';

export interface Page {
  to: '/' | '/flow' | '/tasks' | '/history' | '/roles' | '/actors' | '/health' | '/settings';
  name: keyof Words['nav'];
  icon: LucideIcon;
  key: string; // after g
}

/** The pages of the rail, in its two parts. */
export const pages: readonly Page[] = [
  { to: '/', name: 'stage', icon: Clapperboard, key: 's' },
  { to: '/flow', name: 'flow', icon: Waypoints, key: 'f' },
  { to: '/tasks', name: 'tasks', icon: ListTree, key: 't' },
  { to: '/history', name: 'history', icon: History, key: 'h' },
];

export const house: readonly Page[] = [
  { to: '/roles', name: 'roles', icon: UsersRound, key: 'r' },
  { to: '/actors', name: 'actors', icon: Boxes, key: 'a' },
  { to: '/health', name: 'health', icon: HeartPulse, key: 'c' },
  { to: '/settings', name: 'settings', icon: Settings, key: ',' },
];

/** The name of the page at a path. */
export function titleOf(path: string, t: Words): string {
  if (path.startsWith('/agents/')) return t.agent.title;
  if (path.startsWith('/groups/')) return t.group.title;
  if (path.startsWith('/tasks/')) return t.task.title;
  const page = [...pages, ...house].find((p) => p.to === path);
  return page ? t.nav[page.name] : t.lost.title;
}
