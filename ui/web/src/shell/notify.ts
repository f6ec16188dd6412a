import { useSyncExternalStore } from 'react';
import { getLang } from '../i18n/index.ts';
import { hearers } from '../live/reduce.ts';
import type { Agent, Approval, Event, Task } from '../live/words.ts';

/** Something worth calling a person for who does not look. */
export interface Notice {
  on: 'finish' | 'failure' | 'approval';
  tag: string; // the same one in another window is the same notice
  title: string;
  body: string;
  path: string;
}

interface Job {
  kind: string;
  title: string;
  status: string;
  error?: string;
}

const words = {
  en: {
    finish: { task: 'Task finished', agent: 'Agent finished', eval: 'Evaluation finished', run: 'Run finished' },
    failure: { task: 'Task failed', agent: 'Agent failed', eval: 'Evaluation failed', run: 'Run failed' },
    approval: 'Your word is waited for',
    many: (finish: number, failure: number, approval: number) =>
      [finish && `${finish} finished`, failure && `${failure} failed`, approval && `${approval} waiting for you`]
        .filter(Boolean)
        .join(', '),
  },
  ja: {
    finish: { task: 'タスク完了', agent: 'エージェント完了', eval: '評価完了', run: '実行完了' },
    failure: { task: 'タスク失敗', agent: 'エージェント失敗', eval: '評価失敗', run: '実行失敗' },
    approval: '承認待ちがあります',
    many: (finish: number, failure: number, approval: number) =>
      [finish && `完了 ${finish} 件`, failure && `失敗 ${failure} 件`, approval && `承認待ち ${approval} 件`]
        .filter(Boolean)
        .join('、'),
  },
};

const ended = (status: string): 'finish' | 'failure' | null =>
  status === 'completed' ? 'finish' : ['failed', 'timed_out', 'lost'].includes(status) ? 'failure' : null; // it goes on, or somebody ended it and knows

const ofJob = (address: string): boolean => /^(eval|run|chat):/.test(address);

/** noticeOf makes a notice of an event, if it is one. The webhook tells of the same. */
export function noticeOf(e: Event): Notice | null {
  if (e.data === undefined || e.data === null) return null;
  const w = words[getLang()];
  const at = encodeURIComponent(e.id);
  switch (e.type) {
    case 'task:status_update': {
      const t = e.data as Task;
      const on = ended(t.status);
      if (!on || t.depth > 0 || t.owner.startsWith('agent:') || ofJob(t.owner)) return null;
      return { on, tag: `task ${e.id}`, title: w[on].task, body: t.content, path: `/tasks/${at}` };
    }
    case 'agent:completed': {
      const a = e.data as Agent;
      const on = ended(a.outcome ?? a.status);
      if (!on || ofJob(a.createdBy)) return null;
      return { on, tag: `agent ${e.id}`, title: w[on].agent, body: `${a.role}: ${a.prompt}`, path: `/agents/${at}` };
    }
    case 'evaluation:completed':
    case 'run:completed': {
      const j = e.data as Job;
      const on = ended(j.status);
      if (!on) return null;
      const kind = e.type === 'run:completed' ? 'run' : 'eval';
      return { on, tag: `job ${e.id}`, title: w[on][kind], body: j.title, path: `/${kind}s/${at}` };
    }
    case 'approval:asked': {
      const a = e.data as Approval;
      return { on: 'approval', tag: `approval ${e.id}`, title: w.approval, body: a.content ?? '', path: '/approvals' };
    }
  }
  return null;
}

const gather = 1_500; // ms in which notices are put together
const single = 3; // that many are shown one by one; more, as one
const most = 2_000; // tags that are remembered

/** A Caller gathers notices, and calls: each once, many as one. */
export class Caller {
  private told = new Set<string>();
  private waiting: Notice[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly show: (n: Pick<Notice, 'tag' | 'title' | 'body' | 'path'>) => void) {}

  hear(e: Event): void {
    if (e.type === 'approval:answered') this.told.delete(`approval ${e.id}`);
    const n = noticeOf(e);
    if (!n || this.told.has(n.tag)) return;
    if (this.told.size >= most) this.told.clear();
    this.told.add(n.tag);
    this.waiting.push(n);
    this.timer ??= setTimeout(() => this.call(), gather);
  }

  private call(): void {
    this.timer = undefined;
    const all = this.waiting;
    this.waiting = [];
    if (all.length <= single) {
      for (const n of all) this.show({ ...n, body: n.body.slice(0, 200) });
      return;
    }
    const count = (on: Notice['on']) => all.filter((n) => n.on === on).length;
    const approvals = count('approval');
    this.show({
      tag: 'many',
      title: 'Kurogo',
      body: words[getLang()].many(count('finish'), count('failure'), approvals),
      path: approvals > 0 ? '/approvals' : '/',
    });
  }
}

const key = 'kurogo.notify';
const listeners = new Set<() => void>();

const wanted = (): boolean => {
  try {
    return localStorage.getItem(key) === 'on';
  } catch {
    return false;
  }
};

/** How notices stand: nobody is called who did not ask for it. */
export type Standing = 'off' | 'on' | 'denied' | 'impossible';

const standing = (): Standing => {
  if (typeof Notification === 'undefined') return 'impossible';
  if (Notification.permission === 'denied') return 'denied';
  return wanted() && Notification.permission === 'granted' ? 'on' : 'off';
};

export const useStanding = (): Standing =>
  useSyncExternalStore((f) => {
    listeners.add(f);
    return () => {
      listeners.delete(f);
    };
  }, standing);

/** callMe asks the browser, which asks the person; or ends it. */
export async function callMe(on: boolean): Promise<void> {
  if (on && Notification.permission === 'default') await Notification.requestPermission();
  try {
    localStorage.setItem(key, on ? 'on' : 'off');
  } catch {
    // nobody may write here: then nobody is called
  }
  for (const f of listeners) f();
}

/** attend begins to call whoever wants it while he looks elsewhere. go leads to a page. */
export function attend(go: (path: string) => void): void {
  const caller = new Caller(({ tag, title, body, path }) => {
    if (standing() !== 'on' || document.hasFocus()) return;
    try {
      const n = new Notification(title, { body, tag, icon: '/favicon.svg', lang: getLang() });
      n.onclick = () => {
        window.focus();
        n.close();
        go(path);
      };
    } catch {
      // some browsers of phones have the word and not the deed
    }
  });
  hearers.add((e) => caller.hear(e));
}
