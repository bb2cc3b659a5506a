/**
 * Defers `beforeinstallprompt` (Chromium only) to a suitable moment. It fires once, soon after the
 * page loads and maybe before the app starts, so index.html listens as well; each event can prompt
 * once.
 */
interface InstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallPromptEvent;
  }
  interface Window {
    /** Kept by index.html. */
    earlyInstallPrompt?: InstallPromptEvent;
  }
  interface Navigator {
    /** Safari on iOS only: whether the page was opened from the Home Screen. */
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
  keep(window.earlyInstallPrompt ?? null);
  window.addEventListener('beforeinstallprompt', (event) => {
    // Suppresses the browser's own bar, which would interrupt the user.
    event.preventDefault();
    keep(event);
  });
  window.addEventListener('appinstalled', () => keep(null));
}

export function subscribeToInstallPrompt(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** 'share': by hand through Safari's Share; null: unavailable or installed. */
export type InstallWay = 'prompt' | 'share' | null;

export function installWay(): InstallWay {
  const isInstalled = ['standalone', 'minimal-ui', 'fullscreen'].some(
    (mode) => window.matchMedia(`(display-mode: ${mode})`).matches,
  );
  if (isInstalled || navigator.standalone === true) return null;
  if (kept) return 'prompt';
  return navigator.standalone === false ? 'share' : null;
}

/** Shows the browser's prompt. False: declined or no longer available. */
export async function askToInstall(): Promise<boolean> {
  const prompt = kept;
  if (!prompt) return false;
  keep(null);
  return (await prompt.prompt()).outcome === 'accepted';
}
