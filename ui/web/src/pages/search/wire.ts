import { line } from '../../live/line.ts';
import { ask } from '../../live/rest.ts';
import { rangeOf } from '../chat/markdown.ts';

/** A passage and where it stands. */
export interface Chunk {
  path: string;
  span: string;
  text: string;
  score: number;
  symbol?: string;
  also?: string[];
}

export interface Found {
  chunks: Chunk[];
  stale_files: string[] | null;
  dense?: string;
}

export interface IndexStatus {
  root: string;
  head?: string;
  files: number;
  chunks: number;
  syncing: boolean;
  stale_files: string[] | null;
  embedder?: string;
}

export const intents = ['implementation', 'change', 'tests'] as const;
export type Intent = (typeof intents)[number];

export interface Query {
  query: string;
  top_k: number;
  filters?: { path_prefix: string };
  granularity?: 'span' | 'file';
  intent?: Intent;
}

export const searchIndex = (q: Query, signal?: AbortSignal): Promise<Found> =>
  ask('/index/search', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(q),
    ...(signal ? { signal } : {}),
  });

/** A file as far as it can be seen: whole, or the passages that the index has of it. */
export interface Seen {
  whole: boolean;
  parts: { first: number; lines: string[] }[];
}

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');

/**
 * look reads a file through the gateway, which may refuse: it has a policy. What the
 * index holds of the file is shown instead.
 */
export async function look(path: string, query: string, signal?: AbortSignal): Promise<Seen> {
  try {
    const { content } = await line.call<{ content: string }>('read_file', { path });
    return { whole: true, parts: [{ first: 1, lines: linesOf(content) }] };
  } catch {
    const words = [query, path.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')].filter(Boolean);
    const found = await Promise.all(
      words.map((w) => searchIndex({ query: w, top_k: 100, filters: { path_prefix: path } }, signal)),
    );
    return { whole: false, parts: parts(found.flatMap((f) => f.chunks).filter((c) => c.path === path)) };
  }
}

/** parts puts passages of a file into their order, each line once. */
export function parts(chunks: Chunk[]): { first: number; lines: string[] }[] {
  const text = new Map<number, string>();
  for (const c of chunks) {
    const range = rangeOf(c.span);
    if (!range) continue;
    for (const [i, l] of linesOf(c.text).entries()) if (!text.has(range[0] + i)) text.set(range[0] + i, l);
  }
  const out: { first: number; lines: string[] }[] = [];
  for (const n of [...text.keys()].sort((a, b) => a - b)) {
    const last = out.at(-1);
    if (last && last.first + last.lines.length === n) last.lines.push(text.get(n) ?? '');
    else out.push({ first: n, lines: [text.get(n) ?? ''] });
  }
  return out;
}

/** placeOf takes apart what is to be opened: path#L10-L42. */
export function placeOf(open: string): { path: string; range: [number, number] | null } {
  const cut = open.lastIndexOf('#');
  const range = cut < 0 ? null : rangeOf(open.slice(cut + 1));
  return { path: range ? open.slice(0, cut) : open, range };
}
