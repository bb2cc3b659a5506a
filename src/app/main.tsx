import '#ui/tokens.css';
import '#ui/base.css';
import { createStore, Provider, useAtomValue } from 'jotai';
import { StrictMode, startTransition, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { keepInstallPrompt } from '#features/install/install-prompt.ts';
import { ServicesContext } from '#live/services.ts';
import { afterFirstScreen } from '#ui/first-screen.ts';
import { guardFocus } from '#ui/focus-guard.ts';
import { prepareToHoldBack } from '#ui/hold-back.ts';
import { prepareToasts, ToastHost } from '#ui/toast.tsx';
import { language } from '#words/language.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { later } from './later.tsx';
import { reloadForLostFiles } from './lost-files.ts';
import { Router } from './router.tsx';
import { bringScreen } from './screens.tsx';
import { registerServiceWorker } from './service-worker.ts';
import { createSession, signedInAtom } from './session.ts';
import { StorageGate } from './storage-screen.tsx';

/** After the first paint, in a chunk of its own: nothing waits for it (DESIGN.md section 9). */
const Background = later(async () => (await import('./background.tsx')).Background);

const store = createStore();
const session = createSession(store);

function App() {
  const signedIn = useAtomValue(signedInAtom);
  const services = useMemo(() => ({ session, signedIn }), [signedIn]);
  return (
    <ServicesContext value={services}>
      <Background />
      <ErrorBoundary>
        <StorageGate>
          <Router onLeaveExpired={session.leaveExpired} />
        </StorageGate>
      </ErrorBoundary>
      <ToastHost />
    </ServicesContext>
  );
}

/** For so long at most the splash of index.html stands alone. */
const openingMs = 3_000;

function begin(container: HTMLElement) {
  const app = createRoot(container);
  const opening = new Promise((resolve) => setTimeout(resolve, openingMs));
  // A screen that says 'wait' would cost a cheap phone as much time as it says.
  const begun = Promise.all([session.resume(), bringScreen(window.location.pathname)]);
  void Promise.race([begun, opening]).then(() =>
    // In slices: whoever presses meanwhile is heard.
    startTransition(() =>
      app.render(
        <StrictMode>
          <Provider store={store}>
            <App />
          </Provider>
        </StrictMode>,
      ),
    ),
  );
  void afterFirstScreen().then(() => {
    prepareToasts();
    return registerServiceWorker({ untilAtRest: session.untilAtRest });
  });
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
document.documentElement.lang = language;
reloadForLostFiles();
prepareToHoldBack();
keepInstallPrompt();
guardFocus();
// Reading all this has held a cheap phone up for long enough.
setTimeout(begin, 0, root);
