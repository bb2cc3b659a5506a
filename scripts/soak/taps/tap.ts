/** Taps randomly on one phone and reports violations. */
import type { ElementHandle, Page } from '@playwright/test';
import type { Chance } from '#scripts/soak/browser/chance.ts';

export interface Phone {
  name: string;
  page: Page;
  addresses: string[];
}

/** Every route, some invalid ones, and ids that exist or do not. */
export const addressesFor = (userId: string, packageIds: readonly string[]): string[] => [
  ...['/', '/home', '/auth', '/no-such-place', '/payment/nowhere'],
  ...['/tracking', '/tracking/pending', '/tracking/in-transit'],
  ...['/delivery', '/delivery/pending', '/delivery/in-transit', '/delivery/all'],
  ...['/account', '/personal-info', '/security', '/notifications', '/outbox'],
  ...['/payment', '/deposit', '/deposit?reference=unknown', '/support', '/promotion', '/about'],
  ...['/delivery-request', '/new-package', '/users-list', '/new-user'],
  ...[userId, 'unknown'].map((id) => `/edit-user/${id}`),
  ...[...packageIds, 'unknown'].flatMap((id) => [`/package-detail/${id}`, `/edit-package/${id}`]),
];

/** A page with neither its screen nor an error message after this time is stuck. */
const patienceMs = 20_000;

/** Excludes Log Out: signing in again needs the network. */
const pressable = `
  button:not(:text("Log Out")), a[href^="/"], a[href=""], input, select, textarea, summary
`;

/** Something has replaced the splash of index.html. */
const hasCome = () =>
  document.querySelector('main.boot:not(.lost)') === null && document.body.innerText.trim() !== '';

async function tap(page: Page, chance: Chance, trail: string[]): Promise<void> {
  const found = await page.locator(pressable).filter({ visible: true }).elementHandles();
  if (found.length === 0) return;
  const chosen: ElementHandle = chance.among(found);
  const [isField, name] = await chosen.evaluate((node) => {
    const element = node as HTMLElement;
    const words = element.getAttribute('aria-label') ?? element.innerText;
    return [element.matches('input, textarea'), words.trim().slice(0, 30)] as const;
  });
  trail.push(isField ? 'a field' : `'${name}'`);
  // The element may have moved or gone.
  await chosen.click({ timeout: 500, force: true }).catch(() => undefined);
  if (isField) await page.keyboard.type(chance.among(['100', 'Sani', '', '0805 765 4321']));
}

export interface TapResult {
  summary: string;
  complaints: string[];
}

/** Runs until time is up and every address was opened once. */
export async function tapUntil(
  { name, page, addresses }: Phone,
  chance: Chance,
  untilMs: number,
): Promise<TapResult> {
  const complaints: string[] = [];
  const trail: string[] = [];
  const complain = (what: string) =>
    complaints.push(`${name}: ${what}\n    after ${trail.slice(-8).join(', ')}`);
  page.on('pageerror', (error) => complain(`uncaught ${error.stack ?? error.message}`));
  page.on('dialog', (dialog) => void dialog.accept());
  page.context().on('page', (popup) => void popup.close());
  let loads = new Map<string, number>();
  let all = 0;
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) return;
    const { pathname } = new URL(request.url());
    loads.set(pathname, (loads.get(pathname) ?? 0) + 1);
    all += 1;
  });
  const open = [...addresses];
  async function act() {
    if (chance.is(0.3)) {
      const address = chance.among(open.length > 0 ? open : addresses);
      trail.push(address);
      await page.goto(address, { waitUntil: 'commit' });
      if (open.includes(address)) open.splice(open.indexOf(address), 1);
    } else if (chance.is(0.1)) {
      trail.push('back');
      await page.evaluate('navigation.canGoBack && history.back()');
    } else if (chance.is(0.05)) {
      trail.push('reload');
      await page.reload({ waitUntil: 'commit' });
    } else {
      trail.push('tap');
      await tap(page, chance, trail);
    }
  }
  let steps = 0;
  while ((Date.now() < untilMs || open.length > 0) && complaints.length === 0) {
    loads = new Map();
    steps += 1;
    // Navigation during a step removes its controls; only the result counts.
    await act().catch(() => undefined);
    try {
      await page.waitForFunction(hasCome, undefined, { timeout: patienceMs });
    } catch {
      complain(`an empty page at ${page.url()}`);
    }
    for (const [address, count] of loads) {
      // The requested load and one reload.
      if (count > 2) complain(`${count} loads of ${address}`);
    }
  }
  const visited = `${addresses.length - open.length} of ${addresses.length} addresses`;
  return { summary: `${name}: ${steps} steps, ${visited}, ${all} loads.`, complaints };
}
