/** The product's list as a dispatcher has it, over a full mirror: scrolling and searching. */
import '#ui/tokens.css';
import '#ui/base.css';
import Dexie from 'dexie';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import { createApi } from '#api/api.ts';
import { newId } from '#data/new-id.ts';
import { openPackageStore } from '#data/package-store.ts';
import { ServicesContext, type SignedIn } from '#data/services.ts';
import { systemClock } from '#db/clock.ts';
import { UserDatabase } from '#db/user-database.ts';
import { searchPackages } from '#domain/search.ts';
import { DeliveriesScreen } from '#features/package-list/screens/list-screens.tsx';
import { createBroadcastChannel } from '#sync/coordination/channel.ts';
import { createLocks } from '#sync/coordination/locks.ts';
import { createSyncEngine } from '#sync/engine.ts';
import { ids, party } from '#tests/builders/package.ts';
import { Frame } from '#ui/frame.tsx';
import { type Measurements, quantile, rows } from './rows.ts';

const me = party(ids.admin, 'Ladi');
const roles = ['Admin' as const];
const userInfo = { ...me, email: 'ladi@kaya.test', roles };

const frame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));

/** Resolves after the next paint. */
async function painted(): Promise<void> {
  await frame();
  await new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
}

async function signIn(count: number): Promise<SignedIn> {
  // Before opening: emptying a large database exceeds the product's timeout for opening.
  await Dexie.delete('kaya-user-list');
  const db = new UserDatabase('list');
  const all = rows(count);
  // In batches: one transaction of fifty thousand exceeds the product's storage timeout.
  for (let from = 0; from < count; from += 5_000) {
    await db.packages.bulkPut(all.slice(from, from + 5_000));
  }
  const own = { address: null, vehicle: null, isActive: true, balance: 0, version: 1 };
  await db.users.put({ ...me, ...own, roles });
  const api = createApi({
    baseUrl: 'http://127.0.0.1:1',
    tokenStore: { get: () => 'token', set: () => undefined },
    locks: createLocks(),
    onSessionEnded: () => undefined,
  });
  const engine = createSyncEngine({
    db,
    ports: {
      api,
      locks: createLocks(),
      clock: systemClock,
      random: Math.random,
      newId,
      channel: createBroadcastChannel('kaya-sync-list'),
    },
    userId: me.id,
  });
  const packages = openPackageStore({ db, userInfo, clock: systemClock });
  // A failed read is retried; searching needs all packages.
  do await packages.settled();
  while (!packages.state().isWhole);
  return { userInfo, db, engine, packages, api };
}

const noSession = async () => undefined;
const signOut = async () => true;
const session = {
  signUp: noSession,
  signIn: noSession,
  resume: noSession,
  signOut,
  prepare: () => undefined,
  leaveExpired: noSession,
  links: { forgotPassword: noSession, resetPassword: noSession, confirmEmail: noSession },
  countWaiting: async () => 0,
};

/** The screen over `count` packages, rendered and idle. */
async function show(count: number): Promise<SignedIn> {
  const signedIn = await signIn(count);
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root.');
  createRoot(root).render(
    <ServicesContext value={{ session, signedIn }}>
      <MemoryRouter initialEntries={['/delivery/all']}>
        <Frame>
          <DeliveriesScreen tab="all" />
        </Frame>
      </MemoryRouter>
    </ServicesContext>,
  );
  while (!document.querySelector('article')) await frame();
  await painted();
  // Without styles the list would not be virtualized.
  const drawn = document.querySelectorAll('article').length;
  if (drawn > 50) throw new Error(`${drawn} of ${count} packages are rendered at the same time.`);
  return signedIn;
}

/** Records the longest time the page was unresponsive, and its long tasks, until called. */
function watchTasks(): () => { longestMs: number; longTasks: number } {
  let longestMs = 0;
  let longTasks = 0;
  let isOver = false;
  const observer = new PerformanceObserver((list) => {
    longTasks += list.getEntries().length;
  });
  observer.observe({ type: 'longtask' });
  let last = performance.now();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    if (!isOver) port2.postMessage(null);
  };
  port2.postMessage(null);
  return () => {
    isOver = true;
    longTasks += observer.takeRecords().length;
    observer.disconnect();
    return { longestMs, longTasks };
  };
}

/** Steady like a thumb, then jumping like the scroll bar. */
async function scroll({ count }: { count: number }) {
  await show(count);
  const main = document.querySelector('main');
  if (!main) throw new Error('There is nothing to scroll.');
  const stop = watchTasks();
  for (let step = 0; step < 240; step += 1) {
    main.scrollTop += 300;
    await frame();
  }
  for (let step = 0; step < 60; step += 1) {
    main.scrollTop = ((step * 7919) % 60) * (main.scrollHeight / 60);
    await frame();
  }
  await painted();
  return stop();
}

const typed = ['4', '42', '42 ', '42 z', '42 zo', '42 zoo', 'm', 'mu', 'mus', 'musa', 'pending'];

/** From each keystroke to the paint of its results. */
async function search({ count }: { count: number }) {
  const { packages } = await show(count);
  const views = packages.state().views ?? [];
  const input = document.querySelector<HTMLInputElement>('input[type="search"]');
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  if (!input || !setValue) throw new Error('There is nothing to type into.');
  const number = new Intl.NumberFormat('en-NG');
  const took: number[] = [];
  for (const query of typed) {
    const found = searchPackages(views, query).length;
    const result = `${number.format(found)} of ${number.format(count)} packages`;
    await painted();
    const begun = performance.now();
    setValue.call(input, query);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    while (!document.body.textContent?.includes(result)) await frame();
    await painted();
    took.push(performance.now() - begun);
  }
  return { p50: quantile(took, 0.5), longest: Math.max(...took) };
}

const measurements: Measurements = { scroll, search };
Object.assign(globalThis, { measurements });
