import { dictionary } from '../../i18n/index.ts';

const en = {
  budget: 'Budget',
  day: 'Today',
  task: 'A task',
  turn: 'Set aside for a turn',
  noLimit: 'no limit',
  connections: 'Who is connected',
  kind: 'Kind',
  from: 'From',
  since: 'Since',
  kinds: {
    page: 'a dashboard',
    mcp: 'an MCP client',
    http: 'a request',
    socket: 'a terminal or editor on this machine',
  },
  nobody: 'Nobody.',
  config: 'Limits and configuration',
  why: 'Set in kurogo.toml, the environment or flags; they hold from the next start. What differs from the defaults is marked.',
  general: 'general',
  key: 'Key',
  value: 'Value',
  usual: 'Default',
  only: 'Only what differs',
  differs: 'differs from the default',
  empty: 'empty',
};

const ja: typeof en = {
  budget: '予算',
  day: '今日',
  task: '一つのタスク',
  turn: '一ターンの取り置き',
  noLimit: '上限なし',
  connections: '接続中の相手',
  kind: '種類',
  from: '接続元',
  since: '接続時刻',
  kinds: { page: 'ダッシュボード', mcp: 'MCP クライアント', http: 'リクエスト', socket: 'この機械の端末・エディタ' },
  nobody: 'いません。',
  config: '上限と設定',
  why: 'kurogo.toml、環境変数、フラグで決まり、次の起動から有効です。既定と異なるものに印があります。',
  general: '全般',
  key: 'キー',
  value: '値',
  usual: '既定',
  only: '既定と異なるものだけ',
  differs: '既定と異なる',
  empty: '空',
};

export const useWords = dictionary({ en, ja });
