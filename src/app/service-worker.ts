/**
 * The bridge to the service worker. An update is taken by consent only: nothing reloads under
 * somebody who is typing.
 */
import { askInToast } from '#ui/toast.tsx';
import { words } from './words.ts';

/** Once: the page goes over to the new version together with its worker. */
function reloadWhenTakenOver(): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), {
    once: true,
  });
}

/** Registers /sw.js in a production build; offers each update once per page. */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { Workbox } = await import('workbox-window');
  const workbox = new Workbox('/sw.js');
  workbox.addEventListener('waiting', () => {
    askInToast(
      {
        title: words.update.title,
        confirmLabel: words.update.confirm,
        cancelLabel: words.update.later,
        durationMs: Number.POSITIVE_INFINITY,
        takesFocus: false,
      },
      () => {
        // By ourselves: workbox-window stays silent for an update in the very load that installed
        // the first worker.
        reloadWhenTakenOver();
        workbox.messageSkipWaiting();
      },
    );
  });
  await workbox.register();
}
