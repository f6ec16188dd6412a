import type { LucideIcon } from 'lucide-react';
import { useT } from '../i18n/index.ts';

interface View<K> {
  key: K;
  name: string;
  icon: LucideIcon;
}

/** The ways in which the same can be seen, as icons; the first is the usual one. */
export function Views<K extends string>({
  views,
  chosen,
  choose,
}: {
  views: View<K>[];
  chosen: K;
  choose: (key: K) => void;
}) {
  const t = useT();
  return (
    <fieldset className="seg" aria-label={t.stage.view}>
      {views.map(({ key, name, icon: Icon }) => (
        <button
          key={key}
          type="button"
          className="btn icon"
          aria-pressed={key === chosen}
          aria-label={name}
          title={name}
          onClick={() => choose(key)}
        >
          <Icon size={15} aria-hidden />
        </button>
      ))}
    </fieldset>
  );
}
