import {
  BookOpenText,
  Bot,
  Code2,
  Crown,
  FlaskConical,
  LineChart,
  type LucideIcon,
  PenLine,
  ScanSearch,
  User,
  Waypoints,
} from 'lucide-react';

const icons: [RegExp, LucideIcon][] = [
  [/^user$/, User],
  [/boss/, Crown],
  [/manager/, Waypoints],
  [/text|writ/, PenLine],
  [/review/, ScanSearch],
  [/test/, FlaskConical],
  [/research/, BookOpenText],
  [/analy/, LineChart],
  [/code|coding|impl/, Code2],
];

/** The icon of a role or a persona, by what its id says of it. */
export const iconOf = (id: string): LucideIcon => icons.find(([word]) => word.test(id))?.[1] ?? Bot;
