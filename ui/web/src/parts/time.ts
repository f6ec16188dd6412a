import { getLang, type Lang } from '../i18n/index.ts';

/** 1:05, 12:00, 1:02:03. It never changes its width within a minute. */
export function span(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  const two = (n: number) => String(n).padStart(2, '0');
  const h = Math.floor(s / 3600);
  const m = Math.floor(s / 60) % 60;
  return h > 0 ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

/** 850 ms, 2.4 s, 3:20: as exact as it matters. */
export function brief(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return span(ms);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(lang: Lang, kind: 'clock' | 'full' | 'day'): Intl.DateTimeFormat {
  const key = lang + kind;
  let f = formats.get(key);
  if (!f) {
    const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
    f = new Intl.DateTimeFormat(lang, {
      ...(kind === 'day' ? {} : clock),
      ...(kind === 'clock' ? {} : ({ year: 'numeric', month: 'short', day: 'numeric' } as const)),
    });
    formats.set(key, f);
  }
  return f;
}

/** Today's times as a clock, others with their day. */
export function moment(iso: string | null | undefined, lang: Lang = getLang()): string {
  if (!iso) return '–';
  const d = new Date(iso);
  const today = new Date().toDateString() === d.toDateString();
  return format(lang, today ? 'clock' : 'full').format(d);
}

export const exact = (iso: string | null | undefined, lang: Lang = getLang()): string =>
  iso ? format(lang, 'full').format(new Date(iso)) : '';

export const at = (iso: string | null | undefined): number => (iso ? Date.parse(iso) : Number.NaN);

export const tokens = (n: number | undefined): string => new Intl.NumberFormat(getLang()).format(n ?? 0);

/** Micro-dollars as money. */
export const money = (micros: number | undefined): string =>
  new Intl.NumberFormat(getLang(), {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 4,
  }).format((micros ?? 0) / 1e6);

export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  if (n < 1 << 20) return `${(n / 1024).toFixed(1)} KiB`;
  return `${(n / (1 << 20)).toFixed(1)} MiB`;
}
