import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { begin } from './live/line.ts';
import { router } from './router.tsx';
import { attend } from './shell/notify.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/stage.css';
import './styles/agent.css';
import './styles/tasks.css';
import './styles/flow.css';
import './styles/history.css';
import './styles/house.css';
import './styles/peek.css';

const queries = new QueryClient({
  // The socket says what changed; nothing is asked for again because a window got the focus.
  defaultOptions: { queries: { staleTime: 5_000, refetchOnWindowFocus: false, retry: 1 } },
});

begin();
attend((path) => router.history.push(path));

const place = document.getElementById('root');
if (!place) throw new Error('the page has no root');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
