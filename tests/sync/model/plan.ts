/** A run of the model: a list of steps that fast-check generates and shrinks. */
import fc from 'fast-check';
import type { Area } from '#contract/area.ts';
import type { SyncReason } from '#sync/engine.ts';
import type { AdminAct } from './admin.ts';
import { turns } from './chance.ts';
import { phoneUsers } from './people.ts';
import type { ModelTab, Phone } from './phone.ts';
import type { Sky } from './weather.ts';
import type { World } from './world.ts';

const kinds = {
  act: 50,
  decide: 12,
  wake: 8,
  advance: 10,
  jump: 2,
  network: 5,
  sky: 3,
  kill: 3,
  reload: 3,
  open: 4,
  freeze: 2,
  takeOver: 3,
  downgrade: 1,
  thaw: 3,
  signOut: 4,
  leftBehind: 3,
  admin: 14,
  voidCursors: 2,
} as const;

/** Weights for a server that sends rows. */
const streamKinds = {
  ...kinds,
  // Streams live longer, and have more to say.
  admin: 40,
  tick: 50,
  network: 3,
  kill: 2,
  signOut: 2,
  voidCursors: 1,
  hide: 2,
  show: 4,
  restart: 1,
  area: 1,
} as const;
type Kind = keyof typeof streamKinds;

export interface Step {
  kind: Kind;
  phone: number;
  tab: number;
  /** Selects among the choices of its kind. */
  choice: number;
  /** Turns of the event loop until the next step. */
  pause: number;
}

export interface Plan {
  seed: number;
  /** The server sends rows. */
  hasStream: boolean;
  steps: Step[];
}

const stepOf = (weights: Partial<Record<Kind, number>>): fc.Arbitrary<Step> =>
  fc.record({
    kind: fc.oneof(
      ...Object.entries(weights).map(([kind, weight]) => ({
        arbitrary: fc.constant(kind as Kind),
        weight,
      })),
    ),
    phone: fc.nat(1),
    tab: fc.nat(2),
    choice: fc.nat(999),
    pause: fc.oneof(
      { arbitrary: fc.nat(6), weight: 4 },
      { arbitrary: fc.nat(60), weight: 3 },
      { arbitrary: fc.nat(300), weight: 1 },
    ),
  });

export const plan = (maxSteps: number, hasStream: boolean): fc.Arbitrary<Plan> =>
  fc.record({
    seed: fc.integer(),
    hasStream: fc.constant(hasStream),
    steps: fc.array(stepOf(hasStream ? streamKinds : kinds), {
      minLength: 1,
      maxLength: maxSteps,
      size: 'max',
    }),
  });

const reasons: readonly SyncReason[] = [
  ...(['start', 'focus', 'visible', 'online', 'event', 'timer', 'pull'] as const),
];
const adminActs: readonly AdminAct[] = [
  ...(['edit', 'edit', 'edit', 'move', 'move', 'move', 'move', 'create'] as const),
  ...(['delete', 'delete', 'delete', 'delete', 'user', 'user', 'roles'] as const),
];
const skies: readonly Sky[] = ['calm', 'rough', 'rough', 'storm'];
const areas: readonly (Area | null)[] = [
  null,
  { lat: 12, lng: 8.52, km: 10 },
  { lat: 12.4, lng: 8.52, km: 10 },
];
const advancesMs = [500, 1_000, 5_000, 10_000, 30_000, 60_000, 3_600_000];
/** Enough for a stream to connect again. */
const ticksMs = [100, 500, 2_000, 5_000];
const jumpsMs = [-86_400_000, -60_000, -1, 60_000, 86_400_000];

function oneOf<T>(all: readonly T[], choice: number): T {
  const one = all[choice % all.length];
  if (one === undefined) throw new Error('Nothing to choose from.');
  return one;
}

/** The chosen tab, if there is one. */
function choose(tabs: readonly ModelTab[], { tab }: Step): ModelTab | undefined {
  return tabs.length === 0 ? undefined : tabs[tab % tabs.length];
}

/** Freezes a tab for long enough to lose its lease; it may thaw afterwards. */
async function takeOver(phone: Phone, tab: ModelTab, choice: number): Promise<void> {
  tab.engine.request('start');
  await turns(choice % 40);
  phone.freeze(tab);
  phone.openTab();
  for (const other of phone.awake()) other.engine.request('start');
  for (let look = 0; look < 8; look += 1) {
    phone.clock.advance(5_000);
    await turns(8);
  }
  await turns(choice % 60);
  if (choice % 3 > 0) phone.thaw(tab);
}

/** Downgrades the app: one waiting operation was written by an unknown version. */
async function downgrade(world: World, phone: Phone, choice: number): Promise<void> {
  const { userId } = phone;
  if (userId === null) return;
  for (const tab of [...phone.present()]) phone.kill(tab);
  const db = phone.database(userId);
  const waiting = await db.outbox.filter(({ state }) => state === 'waiting').toArray();
  const row = waiting[choice % Math.max(1, waiting.length)];
  if (row) {
    await db.outbox.update(row.seq, { schemaVersion: 99 });
    world.accounts.quarantined(row.id);
  }
  db.close();
  phone.openTab();
}

async function inTab(world: World, phone: Phone, one: Step): Promise<void> {
  const tab = choose(phone.awake(), one);
  if (!tab) return;
  switch (one.kind) {
    case 'act':
      for (let burst = one.choice % 4; burst >= 0; burst -= 1) await world.act(tab);
      return;
    case 'decide':
      return world.decide(tab);
    case 'wake':
      return tab.engine.request(oneOf(reasons, one.choice));
    case 'freeze':
      return phone.freeze(tab);
    case 'takeOver':
      return takeOver(phone, tab, one.choice);
    case 'downgrade':
      return downgrade(world, phone, one.choice);
    case 'hide':
    case 'show':
      return phone.setSeen(tab, one.kind === 'show');
    case 'area':
      return world.setArea(tab, oneOf(areas, one.choice));
    default:
      phone.kill(tab);
      if (one.kind === 'reload') phone.openTab();
  }
}

function onPhone(world: World, phone: Phone, one: Step): void {
  const { choice } = one;
  switch (one.kind) {
    case 'advance':
      phone.clock.advance(oneOf(advancesMs, choice));
      return;
    case 'jump':
      phone.clock.setBack(phone.clock.now() + oneOf(jumpsMs, choice));
      return;
    case 'network':
      phone.isReachable = choice % 3 !== 0;
      return;
    case 'sky':
      world.sky = oneOf(skies, choice);
      return;
    case 'open':
      if (phone.userId === null) phone.signIn(oneOf(phoneUsers, choice));
      else phone.openTab();
      return;
    case 'thaw': {
      const tab = choose(
        phone.present().filter(({ state }) => state === 'frozen'),
        one,
      );
      if (tab) phone.thaw(tab);
      return;
    }
    case 'signOut':
      phone.signOut();
      if (choice % 2 === 0) phone.signIn(oneOf(phoneUsers, choice >> 1));
      return;
    case 'leftBehind':
      phone.meetLeftBehind(choice % 2 === 0);
      return;
    case 'admin':
      world.admin(oneOf(adminActs, choice));
      return;
    case 'voidCursors':
      world.restore();
      return;
    case 'tick':
      phone.clock.advance(oneOf(ticksMs, choice));
      return;
    case 'restart':
      world.startHub(choice % 2);
  }
}

const inTabs: ReadonlySet<Kind> = new Set([
  ...(['act', 'decide', 'wake', 'freeze', 'takeOver', 'downgrade', 'kill', 'reload'] as const),
  ...(['hide', 'show', 'area'] as const),
]);

export async function take(world: World, one: Step): Promise<void> {
  const phone = oneOf(world.phones, one.phone);
  if (one.kind !== 'act') world.log(`# ${one.kind} ${one.choice}`);
  if (inTabs.has(one.kind)) await inTab(world, phone, one);
  else onPhone(world, phone, one);
  await turns(one.pause);
}
