/**
 * The model's world: a strict server, two phones, three users who sign in on them and a concurrent
 * admin. One event loop and one seed: the same plan gives the same run, line by line.
 */

import type { Area } from '#contract/area.ts';
import { NotSavedError } from '#db/storage-fault.ts';
import type { UserDatabase } from '#db/user-database.ts';
import type { Intent } from '#domain/operation.ts';
import { overlayPackages, overlayUser } from '#domain/overlay.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import { EventHub } from '#tests/fakes/event-hub.ts';
import { type Decided, StrictServer } from '#tests/fakes/strict-server.ts';
import { Accounts } from './accounts.ts';
import { actAsAdmin } from './admin.ts';
import { type Chance, createChance, turns } from './chance.ts';
import { fieldsOf } from './fields.ts';
import { createLine } from './line.ts';
import { everybody, type Fresh, nextIntent, people, phoneUsers, type Sight } from './people.ts';
import { type ModelTab, Phone } from './phone.ts';
import { type Sky, weatherFor } from './weather.ts';
import { createWire } from './wire.ts';

const startMs = Date.parse('2026-11-21T10:00:00.000Z');

/** `text` with `number` as its last digits. */
const numbered = (text: string, number: number) =>
  text.slice(0, -6) + String(number).padStart(6, '0');

export class World {
  readonly lines: string[] = [];
  readonly phones: readonly Phone[];
  readonly server: StrictServer;
  readonly accounts: Accounts;
  sky: Sky = 'rough';
  /** Server processes that stream; empty: a server without a stream. */
  readonly hubs: EventHub[] = [];
  /** Requests for a page of a list. */
  pulls = 0;
  /** Events sent and not delivered. */
  underWay = 0;
  /** Each process soon reads what was committed. */
  isStreaming = true;
  /** Operations that were enqueued. */
  meant = 0;
  private readonly chance: Chance;
  private readonly fresh: Fresh;
  private readonly history = new Map<string, Package | User>();
  private readonly floating = new Set<Promise<unknown>>();
  private readonly doing = new Set<Promise<void>>();
  private numbers = 0;
  private ids = 0;

  constructor(seed: number, hasStream: boolean) {
    const chance = createChance(seed);
    this.chance = chance;
    this.fresh = {
      packageId: () => numbered('40000000-0000-4000-8000-000000000000', this.number()),
      number: () => this.number(),
    };
    this.server = new StrictServer(
      (decided) => this.decided(decided),
      () => startMs + this.number(),
    );
    this.accounts = new Accounts(
      ({ targetId }, version) => this.history.get(`${targetId} ${version}`),
      (line) => this.log(line),
    );
    for (const { version: _, ...body } of everybody) {
      const versions = { version: 0, fieldVersions: {}, fieldWriters: {} };
      this.server.rows.writeUser({ body, ...versions, changedAt: 0, partyChangedAt: 0 });
    }
    const pageSize = chance.pick([1, 2, 3, 500]);
    Object.assign(this.server.rows.pageSize, { packages: pageSize, users: pageSize });
    for (let count = 0; count < 6; count += 1) this.admin('create');
    this.noteHistory();
    if (hasStream) for (const place of [0, 1]) this.startHub(place);
    this.phones = ['A', 'B'].map((name) => this.createPhone(name));
  }

  log(line: string): void {
    this.lines.push(line);
  }

  /** A new process in the place of an old one. */
  startHub(place: number): void {
    this.hubs[place]?.stop();
    this.hubs[place] = new EventHub(this.server.rows, () => this.chance.isTrue(0.3));
  }

  /** A backup is restored: every cursor is void, and every process starts. */
  restore(): void {
    this.server.rows.forgetCursors();
    for (const place of this.hubs.keys()) this.startHub(place);
  }

  private number(): number {
    this.numbers += 1;
    return this.numbers;
  }

  private newId(): string {
    this.ids += 1;
    return numbered('50000000-0000-4000-8000-000000000000', this.ids);
  }

  private createPhone(name: string): Phone {
    const { chance } = this;
    const phone = new Phone({
      name,
      startMs,
      random: () => chance.real(),
      newId: () => this.newId(),
      lineFor: (userId, isReachable) =>
        createLine({
          server: this.server,
          userId,
          isReachable,
          weatherFor: (isMutation) => weatherFor(chance, this.sky, isMutation),
          float: (arrival) => this.floating.add(arrival),
          onPull: () => {
            this.pulls += 1;
          },
          onSent: (request) => this.accounts.sent(request, phone.clock.now()),
          onDoubt: (key) => {
            const account = this.accounts.of(key);
            if (account) account.isDoubtful = true;
          },
          log: (line) => this.log(`${name} ${line}`),
        }),
      wireFor: (userId, isReachable) =>
        this.hubs.length === 0
          ? null
          : createWire({
              chance,
              userId,
              isReachable,
              hub: () => chance.pick(this.hubs),
              sky: () => this.sky,
              onUnderWay: (change) => {
                this.underWay += change;
              },
              log: (line) => this.log(`${name} ${line}`),
            }),
      onOpened: (db, place) => this.accounts.watch(db, place),
      onHeard: (id, times) => this.accounts.heard(id, times),
      violate: (text) => this.accounts.violate(text),
      log: (line) => this.log(line),
    });
    phone.signIn(chance.pick(phoneUsers));
    return phone;
  }

  private decided(decided: Decided): void {
    const { userId, request, refusal } = decided;
    this.log(`${userId.slice(0, 1)} ${request.name} ${request.key.slice(-4)} ${refusal ?? 'ok'}`);
    if (refusal === null) {
      this.noteHistory();
      this.flushSoon();
    }
    if (userId !== people.admin) this.accounts.decided(decided);
  }

  private flushSoon(): void {
    if (!this.isStreaming) return;
    for (const place of this.hubs.keys()) {
      const delay = this.chance.isTrue(0.2) ? this.chance.whole(200) : this.chance.whole(10);
      this.floating.add(turns(delay).then(() => this.isStreaming && this.hubs[place]?.flush()));
    }
  }

  private noteHistory(): void {
    const { packages, users } = this.server.rows;
    for (const row of packages.values()) {
      const at = `${row.body.id} ${row.version}`;
      if (!this.history.has(at)) this.history.set(at, this.server.rows.whole(row));
    }
    for (const { body, version } of users.values()) {
      this.history.set(`${body.id} ${version}`, { ...body, version });
    }
  }

  admin(kind: Parameters<typeof actAsAdmin>[1]['kind']): void {
    const { server, chance, fresh } = this;
    actAsAdmin(server, { kind, chance, fresh, key: this.newId() });
  }

  /** The view of the user in this tab; null: nobody is signed in yet. */
  async sight(tab: ModelTab): Promise<Sight | null> {
    const { db } = tab;
    const [self, packages, operations] = await Promise.all([
      db.users.get(tab.userId),
      db.packages.toArray(),
      db.outbox.toArray(),
    ]);
    if (!self) return null;
    const user = overlayUser(self, operations);
    const lastStep = (id: string) => this.server.rows.find(id)?.steps.at(-1)?.id;
    return { self: user, packages: overlayPackages(packages, operations, user), lastStep };
  }

  /** Starts a user's action, which continues in the background. */
  private begin(work: Promise<void>): void {
    const done = work.finally(() => this.doing.delete(done));
    this.doing.add(done);
  }

  /** The tab may be killed or closed at any point of this. */
  async act(tab: ModelTab): Promise<void> {
    const sight = await unlessClosed(tab, () => this.sight(tab));
    const intent = sight && this.think(sight);
    if (!intent || !sight || tab.state !== 'awake') return;
    const seen = this.seenBy(intent, sight);
    this.meant += 1;
    this.log(`${tab.name} means ${intent.name} ${intent.targetId.slice(-4)}`);
    const saved = tab.engine.enqueue(intent).then(
      ({ id }) => {
        const account = this.accounts.of(id);
        if (account) account.isDurable = true;
        else this.accounts.violate(`${intent.name}: saved, and not in the outbox`);
      },
      (error: unknown) => {
        if (!(error instanceof NotSavedError)) throw error;
      },
    );
    if (seen) this.accounts.expect(tab.lastId, seen);
    this.begin(saved);
  }

  /** The user chooses a working area. */
  setArea(tab: ModelTab, area: Area | null): void {
    this.begin(
      tab.engine.setWorkingArea(area).catch((error: unknown) => {
        if (!(error instanceof NotSavedError)) throw error;
      }),
    );
  }

  private think(sight: Sight): Intent | null {
    for (let thought = 0; thought < 5; thought += 1) {
      const intent = nextIntent(this.chance, this.fresh, sight);
      if (intent) return intent;
    }
    return null;
  }

  /** The row an edit with a version was based on; null: none. */
  private seenBy(intent: Intent, { self, packages }: Sight): ReadonlyMap<string, unknown> | null {
    if (intent.name === 'editProfile') return fieldsOf(self);
    if (intent.name !== 'editPackage' || intent.args.baseVersion === undefined) return null;
    const row = packages.find(({ id }) => id === intent.targetId);
    return row ? fieldsOf(row) : null;
  }

  /** The user opens Needs attention and resolves one entry. */
  async decide(tab: ModelTab): Promise<void> {
    const refused = await unlessClosed(tab, () =>
      tab.db.outbox.filter(({ state }) => state === 'attention').toArray(),
    );
    if (!refused || refused.length === 0 || tab.state !== 'awake') return;
    const { id, name } = this.chance.pick(refused);
    const isRetry = this.chance.isTrue(0.6);
    this.log(`${tab.name} ${isRetry ? 'retries' : 'discards'} ${name} ${id.slice(-4)}`);
    const done = isRetry ? tab.engine.retry(id) : tab.engine.discard(id);
    this.begin(
      done.catch((error: unknown) => {
        if (!(error instanceof NotSavedError)) throw error;
      }),
    );
  }

  /** Nothing is under way outside of the engines: no request in flight, no user's write. */
  async landed(): Promise<void> {
    await Promise.all(this.floating);
    this.floating.clear();
    for (let turn = 0; this.doing.size > 0 && turn < 5_000; turn += 1) await turns(1);
  }

  truthFor(userId: string, area: Area | null = null): { packages: Package[]; users: User[] } {
    const { rows } = this.server;
    return { packages: rows.visiblePackages(userId, area), users: rows.visibleUsers(userId) };
  }
}

/** The result of a read; null if the tab was closed during it. */
async function unlessClosed<T>(tab: ModelTab, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (tab.state === 'gone' || isClosed(tab.db)) return null;
    throw error;
  }
}

const isClosed = (db: UserDatabase) => !db.isOpen();
