import { dictionary } from '../../i18n/index.ts';

const en = {
  edit: 'Edit',
  name: 'Name',
  driver: 'Driver',
  own: "the driver's own",
  another: 'Another model…',
  whichModel: 'Name of the model',
  notAmong: (model: string) => `${model} is not among the models of this driver: agents of this role would be refused.`,
  cannotTell: 'This driver cannot tell which models it has. The health check will show whether it is right.',
  ask: 'Ask again which models there are',
  review: 'Show what changes',
  save: 'Save to kurogo.toml',
  same: 'Nothing changes.',
  diff: 'What changes in the file',
  promptFile: (path: string) => `The prompt is in a file of its own: ${path}`,
  conflict: 'The file was changed by somebody else meanwhile. Look at what changes now, then save again.',
  elsewhere:
    'This role was changed while you were editing it. Your words are still here; what changes is compared with the file as it is now.',
  saved: 'Saved. Agents that begin from now on are the new one; the role is being checked.',
  jobs: 'for jobs',
};

const ja: typeof en = {
  edit: '編集',
  name: '表示名',
  driver: 'ドライバー',
  own: 'ドライバーの既定',
  another: '別のモデル…',
  whichModel: 'モデル名',
  notAmong: (model) => `${model} はこのドライバーのモデルにありません。この職種の実行は断られます。`,
  cannotTell: 'このドライバーはモデルの一覧を出せません。ヘルスチェックで確かめられます。',
  ask: 'モデルの一覧を取り直す',
  review: '変更点を見る',
  save: 'kurogo.toml に保存',
  same: '変更はありません。',
  diff: 'ファイルの変更点',
  promptFile: (path) => `プロンプトは別のファイルにあります: ${path}`,
  conflict: 'その間にファイルが変更されました。今の変更点を確かめて、もう一度保存してください。',
  elsewhere: '編集中にこの職種が変更されました。入力はそのままです。変更点は今のファイルと比べて表示します。',
  saved: '保存しました。これから始まるエージェントに適用され、職種を確認しています。',
  jobs: 'ジョブ用',
};

export const useWords = dictionary({ en, ja });
