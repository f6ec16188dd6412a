import { dictionary } from '../../i18n/index.ts';

const en = {
  more: (n: number) => `${n} more: read on`,
  reading: 'Reading…',
  exporting: (n: number, of: number) => `${n} of ${of}…`,
  deleted: 'deleted',
  created: (n: number) => `+${n}`,
  edited: (n: number) => `~${n}`,
};

const ja: typeof en = {
  more: (n) => `残り ${n} 件を読む`,
  reading: '読んでいます…',
  exporting: (n, of) => `${of} 件中 ${n} 件…`,
  deleted: '削除済み',
  created: (n) => `+${n}`,
  edited: (n) => `~${n}`,
};

export const useWords = dictionary({ en, ja });
