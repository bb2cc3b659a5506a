/**
 * The browser's own offer to install, kept for a moment that fits (Chromium's `beforeinstallprompt`;
 * Safari and Firefox have none). It comes once, soon after the page's load, so this listens from the
 * page's first moment on.
 *
 *   none ──beforeinstallprompt──▶ kept ──asked──▶ none (each can be used once)
 *                                  └──appinstalled──▶ none
 */
interface InstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallPromptEvent;
  }
  interface Navigator {
    /** Safari on iOS alone: whether the page was opened from the Home Screen. */
    readonly standalone?: boolean;
  }
}

let kept: InstallPromptEvent | null = null;
const listeners = new Set<() => void>();

function keep(event: InstallPromptEvent | null) {
  kept = event;
  for (const listener of [...listeners]) listener();
}

export function keepInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    // The browser's own bar would come in the middle of something.
    event.preventDefault();
    keep(event);
  });
  window.addEventListener('appinstalled', () => keep(null));
}

export function subscribeToInstallPrompt(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** 'prompt': by a button of ours; 'share': by hand, through Safari's Share; null: not here, or done already. */
export type InstallWay = 'prompt' | 'share' | null;

export function installWay(): InstallWay {
  const isInstalled = ['standalone', 'minimal-ui', 'fullscreen'].some(
    (mode) => window.matchMedia(`(display-mode: ${mode})`).matches,
  );
  if (isInstalled || navigator.standalone === true) return null;
  if (kept) return 'prompt';
  return navigator.standalone === false ? 'share' : null;
}

/** Shows the browser's question; false: it was declined, or is not to be had any more. */
export async function askToInstall(): Promise<boolean> {
  const prompt = kept;
  if (!prompt) return false;
  keep(null);
  return (await prompt.prompt()).outcome === 'accepted';
}
