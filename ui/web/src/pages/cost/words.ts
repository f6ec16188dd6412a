import { count } from '../../i18n/count.ts';
import { dictionary } from '../../i18n/index.ts';

const en = {
  by: { day: 'Day', role: 'Role', model: 'Model', task: 'Task', persona: 'Who', driver: 'Driver', group: 'Group' },
  choose: 'Spent by',
  total: 'Spent in all',
  unpaid: 'Nothing was paid: tokens are shown.',
  nothing: 'Nothing was spent yet',
  turns: 'Turns',
  cached: (n: string) => `${n} from the cache`,
  share: 'Share',
  none: 'none',
  days: (n: number) => `The last ${count(n, 'day', 'days')}`,
  chart: (what: string) => `Spent by day: ${what}`,
  limit: 'Limit of a day',
  parked: 'What is parked',
  notParked: 'Nothing waits for money.',
  tokens: 'Tokens in → out',
};

const ja: typeof en = {
  by: {
    day: '日',
    role: '職種',
    model: 'モデル',
    task: 'タスク',
    persona: '担当',
    driver: 'ドライバー',
    group: 'グループ',
  },
  choose: '費用の内訳',
  total: '合計',
  unpaid: '支払いは発生していません。トークン数を表示します。',
  nothing: '費用はまだありません',
  turns: 'ターン',
  cached: (n) => `うちキャッシュ ${n}`,
  share: '割合',
  none: 'なし',
  days: (n) => `最近 ${n} 日間`,
  chart: (what) => `日ごとの費用: ${what}`,
  limit: '1日の上限',
  parked: '保留中のもの',
  notParked: '予算待ちのものはありません。',
  tokens: 'トークン 入力 → 出力',
};

export const useWords = dictionary({ en, ja });
