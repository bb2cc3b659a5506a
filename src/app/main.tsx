import '#ui/tokens.css';
import '#ui/base.css';
import { createStore, Provider, useAtomValue } from 'jotai';
import { StrictMode, startTransition, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { ServicesContext } from '#data/services.ts';
import { keepInstallPrompt } from '#features/install/install-prompt.ts';
import { language } from '#messages/localized.ts';
import { afterFirstScreen } from '#ui/first-screen.ts';
import { guardFocus } from '#ui/focus-guard.ts';
import { lazyPart } from '#ui/lazy-part.tsx';
import { preparePopstateGuard } from '#ui/popstate-guard.ts';
import { prepareToasts, ToastHost } from '#ui/toast.tsx';
import { noteChunkErrors } from './pwa/chunk-errors.ts';
import { bringScreen, Router } from './routes/routes.tsx';
import { createSession, signedInAtom } from './session/session.ts';
import { ErrorBoundary } from './shell/error-boundary.tsx';
import { StorageGate } from './shell/storage-gate.tsx';

const BackgroundMap = lazyPart(
  async () => (await import('#features/map/components/background-map.tsx')).BackgroundMap,
);

const store = createStore();
const session = createSession(store);

function App() {
  const signedIn = useAtomValue(signedInAtom);
  const services = useMemo(() => ({ session, signedIn }), [signedIn]);
  return (
    <ServicesContext value={services}>
      <BackgroundMap />
      <ErrorBoundary>
        <StorageGate>
          <Router />
        </StorageGate>
      </ErrorBoundary>
      <ToastHost />
    </ServicesContext>
  );
}

/** The longest that index.html's splash shows before the app renders. */
const splashLimitMs = 3_000;

function begin(container: HTMLElement) {
  const app = createRoot(container);
  const opening = new Promise((resolve) => setTimeout(resolve, splashLimitMs));
  // No loading screen: it would delay a cheap phone for nothing.
  const begun = Promise.all([session.resume(), bringScreen(window.location.pathname)]);
  void Promise.race([begun, opening]).then(() =>
    // In slices, so that input is handled during the first render.
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
  void afterFirstScreen().then(async () => {
    prepareToasts();
    const { registerServiceWorker } = await import('./pwa/service-worker.ts');
    return registerServiceWorker({ untilAtRest: session.untilAtRest });
  });
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
document.documentElement.lang = language;
noteChunkErrors();
preparePopstateGuard();
keepInstallPrompt();
guardFocus();
// Parsing this file blocks a cheap phone long enough: yields before rendering.
if (import.meta.env.DEV && window.location.pathname === '/gallery') {
  void import('./gallery/gallery.tsx').then(({ Gallery }) => createRoot(root).render(<Gallery />));
} else {
  setTimeout(begin, 0, root);
}
