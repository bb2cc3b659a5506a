/** A phone of the soak: two tabs of one person, and what was truly saved in their outbox. */
import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { Account } from '#tests/e2e/backstage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import type { Chance } from './chance.ts';
import type { Tab } from './people.ts';

/** An operation whose transaction was complete: from then on it may not be lost. */
export interface SavedIntent {
  id: string;
  seq: number;
  name: string;
  targetId: string;
}

export interface SoakPhone {
  account: Account;
  role: 'sender' | 'courier';
  context: BrowserContext;
  tabs: Tab[];
  saved: SavedIntent[];
  /** Uncaught errors of its pages. */
  errors: string[];
}

/** Tells of each row that is added to an outbox, once its transaction is complete. */
function tellOfSaved() {
  const { add } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.add = function tellingAdd(value, ...rest) {
    const adding = add.call(this, value, ...rest);
    if (this.name !== 'outbox') return adding;
    this.transaction.addEventListener('complete', () => {
      const { id, name, targetId } = value;
      const tell = Reflect.get(window, 'noteSaved') as (saved: SavedIntent) => void;
      tell({ id, seq: Number(adding.result), name, targetId });
    });
    return adding;
  };
}

export interface PhoneNeeds {
  browser: Browser;
  url: string;
  account: Account;
  role: SoakPhone['role'];
  chanceOf(tab: number): Chance;
  newWord(): string;
}

/** Signed in, in two tabs, with the worker in place. */
export async function takePhone(needs: PhoneNeeds): Promise<SoakPhone> {
  const { account, role, newWord } = needs;
  const context = await needs.browser.newContext({
    baseURL: needs.url,
    viewport: { width: 412, height: 915 },
    locale: 'en-NG',
    timezoneId: 'Africa/Lagos',
  });
  const saved: SavedIntent[] = [];
  const errors: string[] = [];
  await context.exposeFunction('noteSaved', (one: SavedIntent) => saved.push(one));
  await context.addInitScript(tellOfSaved);
  context.on('weberror', (error) => errors.push(error.error().stack ?? String(error.error())));
  const page = await context.newPage();
  const shell = await (await AuthPage.open(page)).signInAs(account);
  await shell.untilInstalled();
  const second = await context.newPage();
  await second.goto('/');
  const tabOf = (own: Page, number: number): Tab => ({
    ...{ context, newWord, page: own },
    chance: needs.chanceOf(number),
  });
  return { account, role, context, tabs: [tabOf(page, 0), tabOf(second, 1)], saved, errors };
}
