/** User actions in a tab, all through the UI. */
import type { BrowserContext, Page } from '@playwright/test';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';
import type { Chance } from './chance.ts';

/** If a control does not appear in this time, it was gone before it could be pressed. */
const patienceMs = 4_000;

export interface Tab {
  context: BrowserContext;
  /** Replaced when the tab is killed. */
  page: Page;
  chance: Chance;
  /** A unique word. */
  newWord(): string;
}

type Action = (tab: Tab) => Promise<void>;

async function openSome({ page, chance }: Tab, address: string): Promise<void> {
  await page.goto(address);
  const links = page.getByRole('link', { name: 'View Details' });
  await links.first().waitFor();
  const count = await links.count();
  await links.nth(Math.floor(chance.next() * count)).click();
  await page.waitForURL(/\/package-detail\//);
}

const create: Action = async ({ page, newWord }) => {
  const wizard = await WizardPage.open(page);
  await wizard.fill({
    pickupAddress: '12 Kofar Mata Road, Kano',
    deliveryAddress: '4 Zoo Road, Kano',
    recipientName: 'Musa Ibrahim',
    recipientPhone: '0805 765 4321',
    description: newWord(),
    pickupDate: '2027-01-15T09:00',
    priceOffer: '1500',
  });
  await wizard.create.click();
  await page.waitForURL(/\/tracking/);
};

const edit: Action = async (tab) => {
  await openSome(tab, '/tracking/pending');
  await tab.page.getByRole('link', { name: 'Edit shipment' }).click();
  await tab.page
    .getByLabel('Delivery Address', { exact: true })
    .fill(`${tab.newWord()} Road, Kano`);
  await tab.page.getByRole('button', { name: 'Save Changes' }).click();
};

const answer = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click();

const remove: Action = async (tab) => {
  await openSome(tab, '/tracking/pending');
  await tab.page.getByRole('button', { name: 'Delete Package' }).click();
  await answer(tab.page, 'Delete');
};

const accept: Action = async ({ page, chance }) => {
  await page.goto('/delivery/pending');
  const buttons = page.getByRole('button', { name: 'Accept Delivery' });
  await buttons.first().waitFor();
  const count = await buttons.count();
  await buttons.nth(Math.floor(chance.next() * count)).click();
  await page.waitForURL(/\/delivery\/in-transit/);
};

const deliver: Action = async (tab) => {
  await openSome(tab, '/delivery/in-transit');
  await tab.page.getByRole('button', { name: 'Package Delivered' }).click();
  await tab.page.getByRole('button', { name: 'Cash collected' }).click();
};

const reject: Action = async (tab) => {
  await openSome(tab, '/delivery/in-transit');
  await tab.page.getByRole('button', { name: 'Reject Delivery' }).click();
  await answer(tab.page, 'Confirm');
};

const reload: Action = async ({ page }) => {
  await page.reload();
};

const kill: Action = async (tab) => {
  await tab.page.close();
  tab.page = await tab.context.newPage();
  tab.page.setDefaultTimeout(patienceMs);
  await tab.page.goto('/');
};

/** Playwright rejects it if another tab of the context is closed in between: then once more. */
async function setOffline(context: BrowserContext, isOffline: boolean): Promise<void> {
  await context.setOffline(isOffline).catch((error: unknown) => {
    if (!context.browser()?.isConnected() || !/has been closed/.test(String(error))) throw error;
    return setOffline(context, isOffline);
  });
}

const flicker: Action = async ({ context, chance }) => {
  await setOffline(context, true);
  await new Promise((resolve) => setTimeout(resolve, chance.next() * 2_000));
  await setOffline(context, false);
};

const anybody = { reload, kill, flicker };
const senders = { create, edit, remove, ...anybody };
const couriers = { accept, deliver, reject, ...anybody };

const frequencies: Record<string, number> = { create: 5, edit: 4, accept: 6, deliver: 2, kill: 1 };

export interface ActionCounts {
  done: Map<string, number>;
  /** Actions abandoned because the control had gone. */
  missed: number;
}

const isMissed = (error: unknown) => error instanceof Error && error.name === 'TimeoutError';

/** Acts until `untilMs`. Rejects on any error other than a missing control. */
export async function actUntil(
  tab: Tab,
  role: 'sender' | 'courier',
  untilMs: number,
  counts: ActionCounts,
): Promise<void> {
  const actions: Record<string, Action> = role === 'sender' ? senders : couriers;
  const names = Object.keys(actions).flatMap((name) =>
    Array.from({ length: frequencies[name] ?? 1 }, () => name),
  );
  tab.page.setDefaultTimeout(patienceMs);
  while (Date.now() < untilMs) {
    const name = tab.chance.among(names);
    try {
      await actions[name]?.(tab);
      counts.done.set(name, (counts.done.get(name) ?? 0) + 1);
    } catch (error) {
      if (!isMissed(error)) throw new Error(`${role}: ${name} failed.`, { cause: error });
      counts.missed += 1;
    }
  }
}
