import { dictionary } from '../../i18n/index.ts';

const en = {
  attempts: (n: number) => `${n} attempts`,
  attemptsName: 'Attempts',
  turns: 'Turns',
  spent: 'Spent',
  tree: 'with sub-tasks',
};

const ja: typeof en = {
  attempts: (n) => `${n} 回目の試行`,
  attemptsName: '試行',
  turns: 'ターン',
  spent: '費用',
  tree: 'サブタスク込み',
};

export const useWords = dictionary({ en, ja });
