/**
 * A phone of the model: up to three tabs of one user over real (in-memory) databases, one clock,
 * shared locks. Its users sign in and out as the session does (app/session).
 */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import type { EventsApi } from '#api/events.ts';
import { UserDatabase } from '#db/user-database.ts';
import { wipeMirror } from '#db/wipe.ts';
import type { SyncEngine } from '#sync/engine.ts';
import type { Channel, SyncApi } from '#sync/ports.ts';
import { createServerEvents } from '#sync/pull/server-events.ts';
import {
  createFakeChannels,
  createFakeClock,
  createFakeLocks,
  type FakeTab,
  openTab,
  type TabLife,
} from '#tests/fakes/browser.ts';
import { turns } from './chance.ts';

export interface PhoneNeeds {
  name: string;
  startMs: number;
  lineFor(userId: string, isReachable: () => boolean): SyncApi;
  /** Null: a server without a stream. */
  wireFor(userId: string, isReachable: () => boolean): EventsApi | null;
  random(): number;
  newId(): string;
  onOpened(db: UserDatabase, place: string): void;
  /** A tab was notified of an outcome of this kind for the `times`th time. */
  onHeard(id: string, times: number): void;
  violate(text: string): void;
  log(line: string): void;
}

export interface ModelTab {
  name: string;
  userId: string;
  db: UserDatabase;
  engine: SyncEngine;
  state: 'awake' | 'frozen' | 'gone';
  /** Id of the last operation created on this phone. */
  lastId: string;
}

interface OpenTab extends ModelTab {
  life: TabLife;
  events: ReturnType<typeof createServerEvents> | null;
  kill(): void;
  close(): Promise<void>;
}

export class Phone {
  readonly clock;
  readonly locks = createFakeLocks();
  isReachable = true;
  userId: string | null = null;
  private readonly factory = new IDBFactory();
  private readonly channels = new Map<string, () => Channel>();
  private tabs: OpenTab[] = [];
  private opened = 0;
  /** Tabs of signed-out users, until they have emptied the mirror. */
  private readonly leaving = new Map<OpenTab, Promise<void>>();

  constructor(private readonly needs: PhoneNeeds) {
    this.clock = createFakeClock(needs.startMs);
  }

  /** Tabs of the current user, including frozen ones. */
  present(): ModelTab[] {
    return this.tabs;
  }

  awake(): ModelTab[] {
    return this.tabs.filter(({ state }) => state === 'awake');
  }

  place(userId: string): string {
    return `${this.needs.name} ${userId}`;
  }

  /** Another connection to a user's database, for inspection. */
  database(userId: string): UserDatabase {
    const options = { indexedDB: this.factory, IDBKeyRange };
    // The types of the package and of the DOM differ in unused members.
    return new UserDatabase(userId, options as unknown as { indexedDB: typeof indexedDB });
  }

  signIn(userId: string): void {
    this.userId = userId;
    this.openTab();
  }

  openTab(): void {
    const { userId } = this;
    if (userId === null || this.tabs.length >= 3) return;
    const tab = this.createTab(userId);
    this.tabs.push(tab);
    tab.engine.request('start');
  }

  private createTab(userId: string): OpenTab {
    const { needs, locks } = this;
    this.opened += 1;
    const name = `${needs.name}.${this.opened}`;
    const db = this.database(userId);
    needs.onOpened(db, this.place(userId));
    const channelOf = this.channels.get(userId) ?? createFakeChannels();
    this.channels.set(userId, channelOf);
    let isKilled = false;
    const life = openTab({
      db,
      userId,
      locks,
      clock: this.clock,
      channel: channelOf(),
      random: needs.random,
      api: needs.lineFor(userId, () => this.isReachable),
      newId: () => {
        tab.lastId = needs.newId();
        return tab.lastId;
      },
      onFault: (cause) => {
        if (tab.state === 'gone') return;
        const text = cause instanceof Error ? `${cause.name} ${cause.message}` : String(cause);
        needs.violate(`${name}: fault ${text}`);
      },
    });
    const { engine } = life;
    const wire = needs.wireFor(userId, () => this.isReachable);
    const events = wire && this.listenWith(wire, life, userId);
    const tab: OpenTab = {
      name,
      userId,
      db,
      engine,
      life,
      events,
      state: 'awake',
      lastId: '',
      kill: () => {
        isKilled = true;
        tab.state = 'gone';
        events?.stop();
        life.kill();
      },
      close: async () => {
        events?.stop();
        await engine.stop();
        tab.state = 'gone';
        await wipeMirror(db).catch((error: unknown) => {
          if (!isKilled) throw error;
        });
        db.close();
      },
    };
    this.listen(tab);
    events?.setSeen(true);
    return tab;
  }

  /** The tab's end of the stream: a frozen tab hears nothing until it thaws. */
  private listenWith(
    wire: EventsApi,
    { whenAwake, engine, locks, clock }: FakeTab,
    userId: string,
  ) {
    const awake =
      <Args extends unknown[]>(hear: (...args: Args) => void) =>
      (...args: Args) =>
        whenAwake(() => hear(...args));
    const api: EventsApi = {
      listenForChanges: ({ onOpen, onHello, onRows, onUnreadable, onChange, ...rest }) =>
        new Promise((resolve, reject) => {
          const heard = {
            onOpen: awake(onOpen),
            onHello: awake(onHello),
            onRows: awake(onRows),
            onUnreadable: awake(onUnreadable),
            onChange: awake(onChange),
          };
          rest.signal.addEventListener('abort', () => resolve());
          const ended = wire.listenForChanges({ ...rest, ...heard });
          ended.then(awake(resolve), awake(reject));
        }),
    };
    const { random } = this.needs;
    return createServerEvents({ api, engine, locks, clock, random, userId });
  }

  /** Shows the tab or covers it: only what is seen listens. */
  setSeen(tab: ModelTab, isSeen: boolean): void {
    this.open(tab).events?.setSeen(isSeen);
  }

  private listen(tab: ModelTab): void {
    const heard = new Map<string, number>();
    tab.engine.subscribe((event) => {
      if (event.kind === 'status') return;
      const { id } = event.operation;
      this.needs.log(`${tab.name} ${event.kind} ${event.operation.name} ${id.slice(-4)}`);
      const once = `${event.kind} ${id}`;
      const times = (heard.get(once) ?? 0) + 1;
      heard.set(once, times);
      this.needs.onHeard(id, times);
    });
  }

  freeze(tab: ModelTab): void {
    this.open(tab).life.freeze();
    tab.state = 'frozen';
  }

  thaw(tab: ModelTab): void {
    tab.state = 'awake';
    this.open(tab).life.thaw();
  }

  kill(tab: ModelTab): void {
    this.open(tab).kill();
    this.tabs = this.tabs.filter((one) => one !== tab);
  }

  /**
   * In one tab; the others learn of it when awake. Each stops its engine and empties the mirror
   * independently, and the next sign-in does not wait for it.
   */
  signOut(): void {
    this.userId = null;
    for (const [index, tab] of this.tabs.entries()) {
      const ended = new Promise<void>((resolve) => tab.life.whenAwake(resolve));
      const closed = ended
        .then(() => turns((this.opened % 5) + index * 12))
        .then(() => tab.close());
      this.leaving.set(tab, closed);
    }
    this.tabs = [];
  }

  /** Tabs that have not seen the sign-out yet: they thaw and handle it, or are killed. */
  meetLeftBehind(isThawed: boolean): void {
    for (const tab of this.leaving.keys()) {
      if (tab.state === 'gone') continue;
      if (isThawed) {
        if (tab.state !== 'frozen') continue;
        tab.state = 'awake';
        tab.life.thaw();
      } else {
        tab.kill();
        this.leaving.delete(tab);
      }
    }
  }

  /** All sign-outs have finished. */
  async closed(): Promise<void> {
    this.meetLeftBehind(true);
    await Promise.all(this.leaving.values());
    this.leaving.clear();
  }

  private open(tab: ModelTab): OpenTab {
    const found = this.tabs.find((one) => one === tab);
    if (!found) throw new Error(`${tab.name} is closed.`);
    return found;
  }
}
