/**
 * The only way to show a toast. Screens call these; transport code never does. The implementation
 * (toast-view.tsx) loads after the first screen, or when first needed.
 */
import { useSyncExternalStore } from 'react';
import type { ToastOptions, ToastQuestion } from './toast-view.tsx';

type View = typeof import('./toast-view.tsx');

let view: View | null = null;
let loading: Promise<View | null> | null = null;
const hosts = new Set<() => void>();

/** Resolves with null on failure; the next call retries. */
async function load(): Promise<View | null> {
  try {
    view = await import('./toast-view.tsx');
    for (const notify of hosts) notify();
  } catch {
    loading = null;
  }
  return view;
}

function withView(act: (view: View) => void): void {
  if (view) {
    act(view);
    return;
  }
  loading ??= load();
  void loading.then((loaded) => loaded && act(loaded));
}

/** Preloads, because the first toast may report that there is no network. */
export function prepareToasts(): void {
  withView(() => undefined);
}

function subscribe(notify: () => void): () => void {
  hosts.add(notify);
  return () => hosts.delete(notify);
}

export function ToastHost() {
  const shown = useSyncExternalStore(subscribe, () => view);
  return shown && <shown.ToastColumn />;
}

const shower =
  (tone: 'good' | 'bad' | 'plain', durationMs: number) =>
  (text: string, options: ToastOptions = {}): void =>
    withView(({ say }) => say(text, tone, { durationMs, ...options }));

export const showSuccess = shower('good', 2000);
export const showError = shower('bad', 4000);
export const showInfo = shower('plain', 2000);

/** Removes a toast that no longer holds. */
export function dismissToast(subject: string): void {
  if (loading) withView(({ dismiss }) => dismiss(subject));
}

/**
 * Asks in a toast; a timeout means no. Returns a function that withdraws the question, to be called
 * when its screen unmounts.
 */
export function askInToast(question: ToastQuestion, onConfirm: () => void): () => void {
  withView(({ ask }) => ask(question, onConfirm));
  return () => dismissToast(question.title);
}
