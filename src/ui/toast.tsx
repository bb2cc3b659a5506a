/**
 * The one way to say something in passing. Screens call these; transport code never does. What they
 * are made of (toast-view.tsx) comes once the first screen stands, and at the latest when something
 * is to be said.
 */
import { useSyncExternalStore } from 'react';
import type { ToastOptions, ToastQuestion } from './toast-view.tsx';

type View = typeof import('./toast-view.tsx');

let view: View | null = null;
let loading: Promise<View | null> | null = null;
const hosts = new Set<() => void>();

/** Resolves with null where it could not come; then the next thing to be said tries again. */
async function load(): Promise<View | null> {
  try {
    view = await import('./toast-view.tsx');
    for (const notify of hosts) notify();
  } catch {
    loading = null;
  }
  return view;
}

/** In the order in which it was called. */
function withView(act: (view: View) => void): void {
  if (view) {
    act(view);
    return;
  }
  loading ??= load();
  void loading.then((loaded) => loaded && act(loaded));
}

/** Ahead of the first thing to be said, which may be that there is no network to load anything by. */
export function prepareToasts(): void {
  withView(() => undefined);
}

function subscribe(notify: () => void): () => void {
  hosts.add(notify);
  return () => hosts.delete(notify);
}

/** Where toasts stand, over everything. */
export function ToastHost() {
  const shown = useSyncExternalStore(subscribe, () => view);
  return shown && <shown.ToastColumn />;
}

export function showSuccess(text: string, options: ToastOptions = {}): void {
  withView(({ say }) => say(text, 'good', { durationMs: 2000, ...options }));
}

export function showError(text: string, options: ToastOptions = {}): void {
  withView(({ say }) => say(text, 'bad', { durationMs: 4000, ...options }));
}

export function showInfo(text: string, options: ToastOptions = {}): void {
  withView(({ say }) => say(text, 'plain', { durationMs: 2000, ...options }));
}

/** What was said of this subject no longer holds. */
export function dismissToast(subject: string): void {
  if (loading) withView(({ dismiss }) => dismiss(subject));
}

/**
 * Asks in a toast. No answer within its time means no: nothing happens. The answer takes the
 * question back: it does not outlive the screen that asked it.
 */
export function askInToast(question: ToastQuestion, onConfirm: () => void): () => void {
  withView(({ ask }) => ask(question, onConfirm));
  return () => dismissToast(question.title);
}
