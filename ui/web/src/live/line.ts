import { Socket, type Wire } from './socket.ts';
import { store } from './store.ts';

/** The line of this page. It lives outside React: mounting twice must not open two. */
export const line = new Socket(store, {
  open: (path) => {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    return new WebSocket(`${scheme}://${location.host}${path}`) as unknown as Wire;
  },
  knock: async () => {
    try {
      return (await fetch('/api/status', { cache: 'no-store' })).status;
    } catch {
      return 0;
    }
  },
  random: Math.random,
});

/** begin opens the line and wakes it whenever that may help. */
export function begin(): void {
  void line.start();
  addEventListener('online', () => line.hurry());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') line.hurry();
  });
}
