/**
 * Records a phone's toasts as a screen reader hears them, however briefly shown: a busy machine may
 * check only after one is gone.
 */
import { type BrowserContext, expect } from '@playwright/test';

export interface PhoneAnnouncements {
  hasSaid(words: string): boolean;
  /** Until it is announced; a later repetition is awaited separately. */
  untilSaid(words: string | RegExp): Promise<void>;
}

/** Runs in the page: reports every text that enters a live region. */
function tellOfWhatIsSaid() {
  const tell = (node: Node) => {
    const element = node instanceof Element ? node : node.parentElement;
    const region = element?.closest('[role="status"], [role="alert"]');
    const text = region?.textContent ?? '';
    if (text !== '') Reflect.get(window, 'noteSaid')(text);
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'characterData') tell(target);
      for (const node of addedNodes) tell(node);
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

/** Call before the phone's first page opens. */
export async function listenToPhone(context: BrowserContext): Promise<PhoneAnnouncements> {
  let said: string[] = [];
  await context.exposeFunction('noteSaid', (text: string) => said.push(text));
  await context.addInitScript(tellOfWhatIsSaid);
  return {
    hasSaid: (words) => said.some((text) => text.includes(words)),
    async untilSaid(words) {
      const isExpected = (text: string) =>
        typeof words === 'string' ? text.includes(words) : words.test(text);
      await expect
        .poll(() => said.some(isExpected) || said.slice(-10), { message: `said: ${words}` })
        .toBe(true);
      said = said.slice(said.findIndex(isExpected) + 1);
    },
  };
}
