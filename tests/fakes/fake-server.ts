/** The strict server behind a faulty network: calls can fail or be held. */
import { ApiFailure } from '#api/failure.ts';
import type { PulledPage } from '#api/pulled-page.ts';
import { type ErrorCode, errorCatalogue } from '#contract/errors.ts';
import type { Failure } from '#domain/outcome.ts';
import { type Package, storedPackage } from '#domain/package.ts';
import type { Actor } from '#domain/policy.ts';
import type { Party, User } from '#domain/user.ts';
import type { SyncApi } from '#sync/ports.ts';
import { aUser } from '#tests/builders/package.ts';
import { type Mutation, type Request, StrictServer } from './strict-server.ts';

export type CallName = keyof SyncApi;

/** `before`: never reached the server. `after`: applied, the answer lost or corrupted. */
export type Fault =
  | { when: 'before' | 'after'; failure: Failure }
  | { when: 'before'; current: Package; failure: Failure };

export const faults = {
  droppedBefore: { when: 'before', failure: noAnswer('network') },
  droppedAfter: { when: 'after', failure: noAnswer('network') },
  timedOut: { when: 'before', failure: noAnswer('timeout') },
  timedOutAfter: { when: 'after', failure: noAnswer('timeout') },
  html: { when: 'before', failure: { ...noAnswer('malformed'), status: 200 } },
  truncated: { when: 'after', failure: { ...noAnswer('malformed'), status: 200 } },
} as const satisfies Record<string, Fault>;

function noAnswer(kind: Failure['kind']): Failure {
  return { kind, status: 0, code: '', message: kind };
}

/** An answer from the server's error catalogue. */
export function answers(code: ErrorCode): Fault {
  const { status, message } = errorCatalogue[code];
  return { when: 'before', failure: { kind: 'http', status, code, message } };
}

/** A bare status, for example from a proxy. */
export function answersStatus(status: number, retryAfterMs?: number): Fault {
  const failure: Failure = { kind: 'http', status, code: '', message: `status ${status}` };
  return {
    when: 'before',
    failure: retryAfterMs === undefined ? failure : { ...failure, retryAfterMs },
  };
}

export interface Call {
  name: CallName;
  /** Package or user; '' for lists. */
  targetId: string;
  /** Idempotency-Key; '' for lists. */
  key: string;
  body: unknown;
}

interface Rule {
  matches(call: Call): boolean;
  fault: Fault;
  left: number;
}

export interface Barrier {
  /** Resolves once a call waits at it. */
  reached: Promise<Call>;
  release(): void;
}

/** The rows of one list, for tests to set and inspect. */
export interface RowsOf<Row> {
  get(id: string): Row | undefined;
  /** Stored unchanged, with its version. */
  set(id: string, row: Row): void;
  has(id: string): boolean;
  delete(id: string): void;
  keys(): string[];
  values(): Row[];
  /** False: a server without deltas, which answers every pull with all its rows. */
  hasDeltas: boolean;
  page(since: string): PulledPage<Row>;
}

/** The user's other role may do what one may not. */
const byOtherRole: ReadonlySet<string> = new Set(['forbidden', 'not_found']);

/**
 * The strict server behind a network with scripted faults. Its one user is courier and dispatcher:
 * authorization is not under test here.
 */
export class FakeServer extends StrictServer {
  readonly packages = this.createPackages();
  readonly users = this.createUsers();
  readonly calls: Call[] = [];
  /** Committed effects, one entry each: 'patchPackage <id>'. */
  readonly effects: string[] = [];
  mostAtOnce = 0;
  isReachable = true;
  private atOnce = 0;
  private readonly rules: Rule[] = [];
  private readonly barriers: {
    matches: (call: Call) => boolean;
    stand(call: Call): Promise<void>;
  }[] = [];

  constructor(private readonly userId: string) {
    super();
  }

  /** Applies `fault` to the next `times` matching calls. */
  fail(matches: CallName | ((call: Call) => boolean), fault: Fault, times = 1): void {
    this.rules.push({ matches: asMatch(matches), fault, left: times });
  }

  /** Drops pending faults. */
  heal(): void {
    this.rules.length = 0;
    this.isReachable = true;
  }

  /** Holds the next matching call before the server sees it. */
  holdNext(matches: CallName | ((call: Call) => boolean)): Barrier {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reach: (call: Call) => void = () => {};
    const reached = new Promise<Call>((resolve) => {
      reach = resolve;
    });
    const barrier = {
      matches: asMatch(matches),
      stand: (call: Call) => {
        this.barriers.splice(this.barriers.indexOf(barrier), 1);
        reach(call);
        return gate;
      },
    };
    this.barriers.push(barrier);
    return { reached, release };
  }

  /** Another user's change, which increments the version. */
  changePackage(id: string, changes: Partial<Package>): void {
    const row = this.rows.find(id);
    if (!row) throw new Error(`No package ${id}`);
    const { version: _, ...body } = storedPackage({ ...this.rows.whole(row), ...changes });
    if (changes.courier) this.know(changes.courier);
    const fields = Object.keys(changes).map((name) =>
      name === 'priceOfferKobo' ? 'priceOffer' : name,
    );
    this.rows.writePackage(row, { body }, { fields });
  }

  /** The calls as `name target`, without lists. */
  mutations(): string[] {
    return this.calls
      .filter((call) => call.key !== '')
      .map((call) => `${call.name} ${call.targetId}`);
  }

  private async exchange<T>(call: Call, request: Request): Promise<T> {
    this.calls.push(call);
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    try {
      const barrier = this.barriers.find((one) => one.matches(call));
      // Always one turn of the loop: parallel calls must be observable as such.
      await (barrier ? barrier.stand(call) : new Promise((resolve) => setImmediate(resolve)));
      if (!this.isReachable) throw new ApiFailure(faults.droppedBefore.failure);
      const rule = this.rules.find((one) => one.left > 0 && one.matches(call));
      if (rule) rule.left -= 1;
      if (rule?.fault.when === 'before') {
        throw new ApiFailure(
          rule.fault.failure,
          'current' in rule.fault ? rule.fault.current : undefined,
        );
      }
      const outcome = structuredClone(this.begin(this.userId, request)());
      if (rule) throw new ApiFailure(rule.fault.failure);
      return outcome as T;
    } finally {
      this.atOnce -= 1;
    }
  }

  protected override mutate(actor: Actor, request: Mutation) {
    const answer = this.tryMutation(actor, request);
    this.effects.push(`${request.name} ${targetOf(request)}`);
    return answer;
  }

  private tryMutation(actor: Actor, request: Mutation) {
    try {
      return super.mutate({ ...actor, role: 'Employee' }, request);
    } catch (error) {
      const code = error instanceof ApiFailure ? error.failure.code : '';
      if (!byOtherRole.has(code)) throw error;
      return super.mutate({ ...actor, role: 'Admin' }, request);
    }
  }

  protected override read(userId: string, request: Exclude<Request, Mutation>) {
    if (request.name === 'pullPackages') return this.packages.page(request.since);
    if (request.name === 'pullUsers') return this.users.page(request.since);
    return super.read(userId, request);
  }

  /** The port of a device. */
  api(): SyncApi {
    const ask = <T>(request: Request, body: unknown = null) => {
      const key = 'key' in request ? request.key : '';
      return this.exchange<T>(
        { name: request.name, targetId: targetOf(request), key, body },
        request,
      );
    };
    return {
      pullPackages: (since) => ask({ name: 'pullPackages', since }, since),
      pullUsers: (since) => ask({ name: 'pullUsers', since }, since),
      getPackage: (id) => ask({ name: 'getPackage', id }),
      createPackage: (body, key) => ask({ name: 'createPackage', body, key }, body),
      patchPackage: (id, body, key, writer) =>
        ask({ name: 'patchPackage', id, body, key, writer }, body),
      deletePackage: (id, key) => ask({ name: 'deletePackage', id, key }),
      patchUser: (body, key, writer) => ask({ name: 'patchUser', body, key, writer }, body),
    };
  }

  /** People on packages are users too. */
  private know(person: Party): void {
    const known = this.rows.users.get(person.id);
    if (!known) this.users.set(person.id, aUser(person));
    else if (known.body.phoneNumber !== person.phoneNumber) {
      this.rows.writeUser(known, { phoneNumber: person.phoneNumber });
    }
  }

  private pageOf<Row>(list: RowsOf<Row>, page: PulledPage<Row>): PulledPage<Row> {
    if (list.hasDeltas) return page;
    return { rows: list.values(), removedIds: [], cursor: null, hasMore: false, isReset: true };
  }

  private createPackages(): RowsOf<Package> {
    const find = (id: string) => this.rows.find(id);
    const list: RowsOf<Package> = {
      hasDeltas: true,
      get: (id) => {
        const row = find(id);
        return row ? this.rows.whole(row) : undefined;
      },
      set: (id, pkg) => {
        for (const person of [pkg.sender, pkg.courier]) if (person) this.know(person);
        const { version, ...body } = storedPackage(pkg);
        const known = this.rows.packages.get(id);
        // Ordered as set, before created rows.
        const number = known?.number ?? 999_999 - this.rows.packages.size;
        const { fieldVersions = {}, fieldWriters = {} } = known ?? {};
        // A write increments the version.
        const row = { number, fieldVersions, fieldWriters, version: version - 1, changedAt: 0 };
        this.rows.writePackage({ ...row, body, isDeleted: false }, {});
      },
      has: (id) => find(id) !== null,
      delete: (id) => {
        const row = find(id);
        if (row) this.rows.writePackage(row, { isDeleted: true });
      },
      keys: () => list.values().map(({ id }) => id),
      values: () => this.rows.visiblePackages(this.userId),
      page: (since) => this.pageOf(list, this.rows.packagePage(this.userId, since)),
    };
    return list;
  }

  private createUsers(): RowsOf<User> {
    const list: RowsOf<User> = {
      hasDeltas: true,
      get: (id) => list.values().find((user) => user.id === id),
      set: (id, { version, ...body }) => {
        const { fieldVersions = {}, fieldWriters = {} } = this.rows.users.get(id) ?? {};
        const at = { changedAt: 0, partyChangedAt: 0 };
        this.rows.writeUser({ body, version: version - 1, fieldVersions, fieldWriters, ...at });
      },
      has: (id) => this.rows.users.has(id),
      delete: (id) => void this.rows.users.delete(id),
      keys: () => [...this.rows.users.keys()],
      values: () => this.rows.visibleUsers(this.userId),
      page: (since) => this.pageOf(list, this.rows.userPage(this.userId, since)),
    };
    return list;
  }
}

function targetOf(request: Request): string {
  if ('since' in request) return '';
  if (request.name === 'createPackage') return request.body._id ?? '';
  return request.name === 'patchUser' ? request.body.id : request.id;
}

function asMatch(matches: CallName | ((call: Call) => boolean)): (call: Call) => boolean {
  return typeof matches === 'function' ? matches : (call) => call.name === matches;
}
