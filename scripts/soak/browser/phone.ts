/** A simulated phone: two tabs of one user, and a record of what their outbox stored. */
import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { Account } from '#tests/e2e/backstage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { openPhoneContext } from '#tests/e2e/phone-context.ts';
import type { Chance } from './chance.ts';
import type { Tab } from './people.ts';

/** An operation whose transaction is complete: it must not be lost. */
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
  /** Ids of all attempted saves: a tab may be killed after the commit and before reporting it. */
  begun: Set<string>;
  /** Uncaught errors of its pages. */
  errors: string[];
}

/** Reports each row added to an outbox, and again when its transaction completes. */
function tellOfSaved() {
  const { add } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.add = function tellingAdd(value, ...rest) {
    const adding = add.call(this, value, ...rest);
    if (this.name !== 'outbox') return adding;
    const { id, name, targetId } = value;
    Reflect.get(window, 'noteBegun')(id);
    this.transaction.addEventListener('complete', () => {
      Reflect.get(window, 'noteSaved')({ id, seq: Number(adding.result), name, targetId });
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

/** Signed in, in two tabs, with the service worker active. */
export async function takePhone(needs: PhoneNeeds): Promise<SoakPhone> {
  const { account, role, newWord } = needs;
  const context = await openPhoneContext(needs.browser, needs.url);
  const saved: SavedIntent[] = [];
  const begun = new Set<string>();
  const errors: string[] = [];
  await context.exposeFunction('noteBegun', (id: string) => begun.add(id));
  await context.exposeFunction('noteSaved', (one: SavedIntent) => saved.push(one));
  await context.addInitScript(tellOfSaved);
  context.on('weberror', (error) => errors.push(error.error().stack ?? String(error.error())));
  const page = await context.newPage();
  const shell = await (await AuthPage.open(page)).signInAs(account);
  await shell.untilInstalled();
  const second = await context.newPage();
  await second.goto('/');
  const tabOf = (own: Page, number: number): Tab => ({
    context,
    newWord,
    page: own,
    chance: needs.chanceOf(number),
  });
  return { account, role, context, tabs: [tabOf(page, 0), tabOf(second, 1)], saved, begun, errors };
}
