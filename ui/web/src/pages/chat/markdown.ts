// What of Markdown answers are written in. Text becomes plain data, never HTML: what
// is no Markdown stays the text that it is.

export type Inline =
  | string
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'em' | 'del'; of: Inline[] }
  | { kind: 'link'; href: string; of: Inline[] }
  | { kind: 'lines'; path: string; span: string }
  | { kind: 'talk'; id: string };

export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'code'; lang: string; text: string }
  | { kind: 'quote'; of: Block[] }
  | { kind: 'list'; start: number | null; items: Block[][] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'rule' };

const deepest = 6; // quotes and lists within each other; what is deeper is text
const longest = 20_000; // letters of a paragraph that are looked at

const fence = /^ {0,3}(`{3,}|~{3,})\s*([^`\s]*)[^`]*$/;
const item = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)/;
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const rule = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const columns = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/**
 * pieces cuts a text between its blocks. All but the last are finished: whoever
 * draws an answer while it comes draws only that one anew.
 */
export function pieces(text: string): string[] {
  const out: string[] = [];
  let piece: string[] = [];
  let open: string | null = null; // the fence we are in
  let gap = false;
  for (const line of text.split('\n')) {
    if (open === null && line.trim() === '') {
      gap = piece.length > 0;
      piece.push(line);
      continue;
    }
    const joins = /^\s/.test(line) || (item.test(line) && item.test(piece[0] ?? ''));
    if (open === null && gap && !joins) {
      out.push(piece.join('\n').trimEnd());
      piece = [];
    }
    gap = false;
    piece.push(line);
    const mark = fence.exec(line);
    if (open === null) open = mark?.[1] ?? null;
    else if (closes(line, open)) open = null;
  }
  const last = piece.join('\n').trimEnd();
  if (last.trim() !== '') out.push(last);
  return out.filter((p) => p.trim() !== '');
}

const closes = (line: string, open: string): boolean => {
  const text = line.trim();
  return text.length >= open.length && text === (open[0] ?? '').repeat(text.length);
};

/** blocks reads the blocks of a text. */
export function blocks(text: string, depth = 0): Block[] {
  const lines = text.split('\n');
  const out: Block[] = [];
  let said: string[] = [];
  const flush = () => {
    const words = said.join('\n').trim();
    if (words !== '') out.push({ kind: 'text', text: words });
    said = [];
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const mark = fence.exec(line);
    if (mark) {
      flush();
      const open = mark[1] ?? '';
      const code: string[] = [];
      for (i++; i < lines.length && !closes(lines[i] ?? '', open); i++) code.push(lines[i] ?? '');
      out.push({ kind: 'code', lang: mark[2] ?? '', text: code.join('\n') });
      continue;
    }
    if (line.trim() === '') {
      flush();
      continue;
    }
    const head = heading.exec(line);
    if (head) {
      flush();
      out.push({ kind: 'heading', level: head[1]?.length ?? 1, text: head[2] ?? '' });
      continue;
    }
    if (rule.test(line)) {
      flush();
      out.push({ kind: 'rule' });
      continue;
    }
    if (line.includes('|') && columns.test(lines[i + 1] ?? '') && (lines[i + 1] ?? '').includes('-')) {
      flush();
      const rows: string[][] = [];
      const top = cells(line);
      for (i += 2; i < lines.length && (lines[i] ?? '').includes('|'); i++) rows.push(cells(lines[i] ?? ''));
      i--;
      out.push({ kind: 'table', head: top, rows: rows.map((r) => top.map((_, n) => r[n] ?? '')) });
      continue;
    }
    if (depth < deepest && /^ {0,3}>/.test(line)) {
      flush();
      const inner: string[] = [];
      for (; i < lines.length && /^ {0,3}>/.test(lines[i] ?? ''); i++)
        inner.push((lines[i] ?? '').replace(/^ {0,3}> ?/, ''));
      i--;
      out.push({ kind: 'quote', of: blocks(inner.join('\n'), depth + 1) });
      continue;
    }
    const first = item.exec(line);
    if (depth < deepest && first) {
      flush();
      const end = listEnd(lines, i);
      out.push(list(lines.slice(i, end), depth));
      i = end - 1;
      continue;
    }
    said.push(line);
  }
  flush();
  return out;
}

const cells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((c) => c.trim().replaceAll('\\|', '|'));

// A list goes on over what is indented and over blank lines that more of it follows.
function listEnd(lines: string[], from: number): number {
  let end = from + 1;
  for (let i = end; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line.trim() === '') continue;
    const goesOn = /^\s/.test(line) || item.test(line) || (i === end && !startsBlock(line));
    if (!goesOn) break;
    end = i + 1;
  }
  return end;
}

const startsBlock = (line: string): boolean =>
  fence.test(line) || heading.test(line) || rule.test(line) || line.startsWith('>');

function list(lines: string[], depth: number): Block {
  const items: string[][] = [];
  let indent = 0;
  for (const line of lines) {
    const mark = item.exec(line);
    const outer = mark && (items.length === 0 || (mark[1]?.length ?? 0) < indent);
    if (mark && outer) {
      indent = mark[0].trimEnd().length + 1;
      items.push([line.slice(mark[0].length)]);
    } else {
      const spaces = line.length - line.trimStart().length;
      items.at(-1)?.push(line.slice(Math.min(spaces, indent)));
    }
  }
  const number = /^\s*(\d+)/.exec(lines[0] ?? '');
  return {
    kind: 'list',
    start: number ? Number(number[1]) : null,
    items: items.map((i) => blocks(i.join('\n'), depth + 1)),
  };
}

/** lines is a passage as answers quote it: path#L10-L42. */
export const passage = /(?<![\w/.#@-])((?:[\w@.-]+\/)*[\w@-]*\.?[\w@.-]*\w)#(L\d+(?:-L?\d+)?)/;
const talk = /\bchat:([0-9a-f-]{8,36})\b/;
const address = /https?:\/\/[^\s<>"'`]+/;
const token = new RegExp(
  String.raw`(${'`'}+)|(!?\[)|(\*\*|__|~~|\*|_)|(\\[!-/:-@[-${'`'}{-~])|${passage.source}|${talk.source}|(${address.source})`,
  'g',
);

/** inline reads what is in a line. */
export function inline(text: string, depth = 0): Inline[] {
  if (text.length > longest || depth > deepest) return [text];
  const out: Inline[] = [];
  const dead = new Set<string>(); // what is opened and never closed
  let from = 0;
  const put = (...x: Inline[]) => {
    for (const i of x) {
      const last = out.at(-1);
      if (typeof i === 'string' && typeof last === 'string') out[out.length - 1] = last + i;
      else if (i !== '') out.push(i);
    }
  };
  token.lastIndex = 0;
  let at = 0;
  for (;;) {
    token.lastIndex = at;
    const m = token.exec(text);
    if (!m) break;
    const [whole, tick, bracket, mark, escaped, path, span, id, url] = m;
    put(text.slice(from, m.index));
    from = m.index;
    at = m.index + whole.length;
    if (tick) {
      const end = dead.has(tick) ? -1 : closing(text, tick, at);
      if (end < 0) dead.add(tick);
      else {
        put(coded(text.slice(at, end)));
        at = end + tick.length;
        from = at;
      }
    } else if (bracket) {
      const l = /^([^[\]\n]{0,500})\]\(\s*<?([^\s()<>]{1,2000})>?(?:\s+"[^"\n]{0,200}")?\s*\)/.exec(
        text.slice(at, at + 2_800),
      );
      if (l) {
        put(linked(l[1] ?? '', l[2] ?? '', depth));
        at += l[0].length;
        from = at;
      }
    } else if (mark) {
      const end = dead.has(mark) ? -1 : emphasised(text, mark, m.index, at);
      if (end < 0) {
        if (end === -1) dead.add(mark);
      } else {
        const kind = mark === '~~' ? 'del' : mark.length === 2 ? 'strong' : 'em';
        put({ kind, of: inline(text.slice(at, end), depth + 1) });
        at = end + mark.length;
        from = at;
      }
    } else {
      if (escaped) put(escaped.slice(1));
      else if (path && span) put({ kind: 'lines', path, span: spanOf(span) });
      else if (id) put({ kind: 'talk', id });
      else if (url) {
        const href = url.replace(/[.,;:!?)\]}*_]+$/, '');
        put(hrefOf(href) ? { kind: 'link', href, of: [href] } : href);
        at = m.index + href.length;
      }
      from = at;
    }
  }
  put(text.slice(from));
  return out;
}

// A run of ticks is closed by one of the same length.
function closing(text: string, tick: string, from: number): number {
  const runs = /`+/g;
  runs.lastIndex = from;
  for (let m = runs.exec(text); m; m = runs.exec(text)) if (m[0] === tick) return m.index;
  return -1;
}

// Where the emphasis that is opened ends; -1: nowhere, -2: it is none here.
function emphasised(text: string, mark: string, open: number, from: number): number {
  const before = text[open - 1] ?? ' ';
  if (/\s/.test(text[from] ?? ' ')) return -2;
  if (mark[0] === '_' && /[\p{L}\p{N}]/u.test(before)) return -2;
  let end = text.indexOf(mark, from + 1);
  if (end < 0) return -1;
  while (end >= 0) {
    const after = text[end + mark.length] ?? ' ';
    const inner = text[end - 1] ?? ' ';
    const doubled = mark.length === 1 && (after === mark || inner === mark);
    const word = mark[0] === '_' && /[\p{L}\p{N}]/u.test(after);
    if (!/[\s\\]/.test(inner) && !doubled && !word) return end;
    if (end - from > 2_000) return -2;
    end = text.indexOf(mark, end + mark.length);
  }
  return -2;
}

// Code that is nothing but a passage leads to it.
function coded(text: string): Inline {
  const plain = text.replace(/^ (.*) $/s, '$1');
  const m = passage.exec(plain);
  if (m && m[0] === plain && m[1] && m[2]) return { kind: 'lines', path: m[1], span: spanOf(m[2]) };
  return { kind: 'code', text: plain };
}

function linked(words: string, to: string, depth: number): Inline {
  const m = passage.exec(to);
  if (m && m[0] === to && m[1] && m[2]) return { kind: 'lines', path: m[1], span: spanOf(m[2]) };
  const href = hrefOf(to);
  return href ? { kind: 'link', href, of: words ? inline(words, depth + 1) : [to] } : words || to;
}

/** hrefOf is the address if a page may lead there, else nothing. */
export function hrefOf(text: string): string | null {
  try {
    const { protocol } = new URL(text);
    return ['http:', 'https:', 'mailto:'].includes(protocol) ? text : null;
  } catch {
    return null;
  }
}

/** spanOf writes lines as the index does: L10-L42. */
export function spanOf(text: string): string {
  const m = /^L?(\d+)(?:-L?(\d+))?$/.exec(text);
  if (!m) return '';
  return m[2] && m[2] !== m[1] ? `L${m[1]}-L${m[2]}` : `L${m[1]}`;
}

/** rangeOf is the first and the last line of a span; null if it is none. */
export function rangeOf(span: string): [number, number] | null {
  const m = /^L?(\d+)(?:-L?(\d+))?$/.exec(span);
  if (!m) return null;
  const first = Number(m[1]);
  return [first, Math.max(first, Number(m[2] ?? first))];
}
