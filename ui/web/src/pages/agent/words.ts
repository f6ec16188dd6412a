import { dictionary } from '../../i18n/index.ts';

const en = {
  argv: 'Called with',
  argvWhy: 'What the process was started with; secrets are left out. The prompt goes by stdin where the CLI takes it.',
  commandLine: 'command line',
  waterfall: 'The last uses of tools, in time',
  began: 'after it began',
  all: 'Every use',
  close: 'Close (Esc)',
  whole: 'Open the page',
};

const ja: typeof en = {
  argv: '起動コマンド',
  argvWhy: 'プロセスを起動した引数です。秘密の値は伏せています。CLI が受け取れる場合、プロンプトは標準入力で渡します。',
  commandLine: 'コマンドライン',
  waterfall: '直近のツール使用（時系列）',
  began: '開始から',
  all: 'すべての使用',
  close: '閉じる (Esc)',
  whole: 'ページを開く',
};

export const useWords = dictionary({ en, ja });
