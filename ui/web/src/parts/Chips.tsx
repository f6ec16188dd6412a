import { useT } from '../i18n/index.ts';

/** Chips that choose some of a list, or all of it again; how many there are of each stands beside its name. */
export function Chips<K extends string>({
  keys,
  names,
  chosen,
  choose,
  tones,
  counts,
  total,
}: {
  keys: readonly K[];
  names: Record<K, string>;
  chosen: string | undefined;
  choose: (key: K | undefined) => void;
  tones?: Record<K, string>;
  counts?: Record<K, number>;
  total?: number;
}) {
  const t = useT();
  const chip = (key: K | undefined, name: string, n: number | undefined) => (
    <button
      key={name}
      type="button"
      className="chip"
      data-tone={key && tones?.[key]}
      aria-pressed={key ? chosen === key : !chosen}
      onClick={() => choose(chosen === key ? undefined : key)}
    >
      {name}
      {n !== undefined && <b className="num">{n}</b>}
    </button>
  );
  return (
    <>
      {chip(undefined, t.all, total)}
      {keys.map((k) => chip(k, names[k], counts?.[k]))}
    </>
  );
}
