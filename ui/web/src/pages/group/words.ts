import { dictionary } from '../../i18n/index.ts';

const en = {
  messages: 'Messages',
  none: 'Nothing was said in this group.',
  more: 'Read on',
};

const ja: typeof en = {
  messages: 'メッセージ',
  none: 'このグループではまだ何も交わされていません。',
  more: '続きを読む',
};

export const useWords = dictionary({ en, ja });
