import { dictionary } from '../../i18n/index.ts';

const en = {
  why: 'What waits for your word: nothing here goes on by itself.',
  empty: 'Nothing waits for you',
  emptyWhy:
    'Budgets that are spent, files that are to be deleted and programs that are not on the list are asked here.',
  titleOf: (kind: string): string =>
    kind === 'delete'
      ? 'May this file be deleted?'
      : kind === 'command'
        ? 'May this program be run?'
        : 'May this be done?',
  all: (n: number) => `All ${n} questions`,
  allow: 'Allow',
  deny: 'Do not allow',
  of: 'The run that asks',
};

const ja: typeof en = {
  why: 'あなたの回答を待っているものです。回答があるまで進みません。',
  empty: '回答待ちはありません',
  emptyWhy: '使い切った予算、ファイルの削除、一覧にないプログラムの実行は、ここで確認します。',
  titleOf: (kind) =>
    kind === 'delete'
      ? 'このファイルを削除してもよいですか?'
      : kind === 'command'
        ? 'このプログラムを実行してもよいですか?'
        : 'これを行ってもよいですか?',
  all: (n) => `全 ${n} 件の確認`,
  allow: '許可する',
  deny: '許可しない',
  of: '確認している実行',
};

export const useWords = dictionary({ en, ja });
