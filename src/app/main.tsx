import '#ui/tokens.css';
import '#ui/base.css';
import { createStore, Provider, useAtomValue } from 'jotai';
import { lazy, StrictMode, Suspense, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { ServicesContext } from '#live/services.ts';
import { guardFocus } from '#ui/focus-guard.ts';
import { prepareToHoldBack } from '#ui/hold-back.ts';
import { ToastHost } from '#ui/toast.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { reloadForLostFiles } from './lost-files.ts';
import { Router } from './router.tsx';
import { registerServiceWorker } from './service-worker.ts';
import { createSession, signedInAtom } from './session.ts';
import { StorageGate } from './storage-screen.tsx';

/** After the first paint, in a chunk of its own: nothing waits for it (DESIGN.md section 9). */
const Backdrop = lazy(async () => ({
  default: (await import('#features/map/backdrop.tsx')).Backdrop,
}));

const store = createStore();
const session = createSession(store);

function App() {
  const signedIn = useAtomValue(signedInAtom);
  const services = useMemo(() => ({ session, signedIn }), [signedIn]);
  return (
    <ServicesContext value={services}>
      <Suspense>
        <Backdrop />
      </Suspense>
      <ErrorBoundary>
        <StorageGate>
          <Router onLeaveExpired={session.leaveExpired} />
        </StorageGate>
      </ErrorBoundary>
      <ToastHost />
    </ServicesContext>
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
reloadForLostFiles();
prepareToHoldBack();
guardFocus();
createRoot(root).render(
  <StrictMode>
    <Provider store={store}>
      <App />
    </Provider>
  </StrictMode>,
);
void session.resume();
void registerServiceWorker({ untilAtRest: session.untilAtRest });
