/**
 * What a phone has said in passing, as a screen reader hears it, kept however briefly it was shown:
 * a machine with much to do may look again only after it is gone.
 */
import { type BrowserContext, expect } from '@playwright/test';

export interface PhoneAnnouncements {
  hasSaid(words: string): boolean;
  /** Until it has been said; what is said again later is waited for anew. */
  untilSaid(words: string | RegExp): Promise<void>;
}

/** Runs in the page: tells of every text that comes into a live region. */
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

/** Before the first page of the phone is opened. */
export async function listenToPhone(context: BrowserContext): Promise<PhoneAnnouncements> {
  let said: string[] = [];
  await context.exposeFunction('noteSaid', (text: string) => said.push(text));
  await context.addInitScript(tellOfWhatIsSaid);
  return {
    hasSaid: (words) => said.some((text) => text.includes(words)),
    async untilSaid(words) {
      const isIt = (text: string) =>
        typeof words === 'string' ? text.includes(words) : words.test(text);
      await expect
        .poll(() => said.some(isIt) || said.slice(-10), { message: `said: ${words}` })
        .toBe(true);
      said = said.slice(said.findIndex(isIt) + 1);
    },
  };
}
