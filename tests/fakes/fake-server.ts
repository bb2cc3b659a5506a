/** The strict server (strict-server.ts) behind a faulty network: calls can fail or be held. */
import { ApiFailure } from '#api/failure.ts';
import type { PackagesPlace } from '#api/packages.ts';
import type { PulledPage } from '#api/pulled-page.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { Failure } from '#domain/outcome.ts';
import { type Package, storedPackage } from '#domain/package.ts';
import type { Actor } from '#domain/policy.ts';
import type { Party, User } from '#domain/user.ts';
import type { SyncApi } from '#sync/ports.ts';
import { aUser } from '#tests/builders/package.ts';
import { freshPackage } from './server-rows.ts';
import { apiOf, type Mutation, type Request, refusal, StrictServer } from './strict-server.ts';

type CallName = keyof SyncApi;

/** `before`: never reached the server. `after`: applied, the answer lost or corrupted. */
interface Fault {
  when: 'before' | 'after';
  failure: Failure;
  current?: Package;
}

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
  return { when: 'before', failure: refusal(code).failure };
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
  /** Idempotency-Key; '' for reads. */
  key: string;
  /** For a list, its cursor. */
  body: unknown;
  /** For the list of packages: the stream's checkpoint and the area that were sent. */
  place?: PackagesPlace | undefined;
}

type Matches = CallName | ((call: Call) => boolean);

interface Barrier {
  /** Resolves once a call waits at it. */
  reached: Promise<Call>;
  release(): void;
}

/** The rows of one list, for tests to set and inspect. */
interface RowsOf<Row> {
  get(id: string): Row | undefined;
  /** Stored unchanged, with its version. */
  set(id: string, row: Row): void;
  delete(id: string): void;
  values(): Row[];
}

/** The server's one user is courier and dispatcher, as authorization is not tested here. */
export class FakeServer extends StrictServer {
  readonly packages = this.createPackages();
  readonly users = this.createUsers();
  readonly calls: Call[] = [];
  /** Committed effects, one entry each: 'patchPackage <id>'. */
  readonly effects: string[] = [];
  /** The ids in the last page of packages. */
  sentRows: string[] = [];
  mostAtOnce = 0;
  isReachable = true;
  private atOnce = 0;
  private readonly rules: { matches: Matches; fault: Fault; left: number }[] = [];
  private readonly barriers: { matches: Matches; stand(call: Call): Promise<void> }[] = [];

  constructor(private readonly userId: string) {
    super();
  }

  /** Applies `fault` to the next `times` matching calls. */
  fail(matches: Matches, fault: Fault, times = 1): void {
    this.rules.push({ matches, fault, left: times });
  }

  /** Holds the next matching call before the server sees it. */
  holdNext(matches: Matches): Barrier {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reached = new Promise<Call>((reach) => {
      const barrier = {
        matches,
        stand: (call: Call) => {
          this.barriers.splice(this.barriers.indexOf(barrier), 1);
          reach(call);
          return gate;
        },
      };
      this.barriers.push(barrier);
    });
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

  callsOf(name: CallName): Call[] {
    return this.calls.filter((call) => call.name === name);
  }

  /** The calls that change something. */
  mutations(): Call[] {
    return this.calls.filter((call) => call.key !== '');
  }

  private async exchange<T>(request: Request): Promise<T> {
    const call = callOf(request);
    this.calls.push(call);
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    try {
      const barrier = this.barriers.find(({ matches }) => isMatch(matches, call));
      // Always one turn of the loop: parallel calls must be observable as such.
      await (barrier ? barrier.stand(call) : new Promise((resolve) => setImmediate(resolve)));
      if (!this.isReachable) throw new ApiFailure(faults.droppedBefore.failure);
      const rule = this.rules.find(({ left, matches }) => left > 0 && isMatch(matches, call));
      if (rule) rule.left -= 1;
      const fault = rule?.fault;
      if (fault?.when === 'before') throw new ApiFailure(fault.failure, fault.current);
      const outcome = structuredClone(this.begin(this.userId, request)());
      if (fault) throw new ApiFailure(fault.failure);
      if (request.name === 'pullPackages') {
        const { rows, removedIds } = outcome as PulledPage<Package>;
        this.sentRows = [...rows.map(({ id }) => id), ...removedIds];
      }
      return outcome as T;
    } finally {
      this.atOnce -= 1;
    }
  }

  protected override mutate(actor: Actor, request: Mutation) {
    const answer = this.tryMutation(actor, request);
    this.effects.push(`${request.name} ${callOf(request).targetId}`);
    return answer;
  }

  /** The user's other role may do what one may not. */
  private tryMutation(actor: Actor, request: Mutation) {
    try {
      return super.mutate({ ...actor, role: 'Employee' }, request);
    } catch (error) {
      const code = error instanceof ApiFailure ? error.failure.code : '';
      if (code !== 'forbidden' && code !== 'not_found') throw error;
      return super.mutate({ ...actor, role: 'Admin' }, request);
    }
  }

  /** The port of a device. */
  api(): SyncApi {
    return apiOf((request) => this.exchange(request));
  }

  /** People on packages are users too. */
  private know(person: Party): void {
    const known = this.rows.users.get(person.id);
    if (!known) this.users.set(person.id, aUser(person));
    else if (known.body.phoneNumber !== person.phoneNumber) {
      this.rows.writeUser(known, { phoneNumber: person.phoneNumber });
    }
  }

  private createPackages(): RowsOf<Package> {
    return {
      get: (id) => {
        const row = this.rows.find(id);
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
        const kept = known ?? freshPackage();
        const { steps, wrongCodes } = kept;
        this.rows.writePackage({ ...row, body, isDeleted: false, steps, wrongCodes }, {});
      },
      delete: (id) => {
        const row = this.rows.find(id);
        if (row) this.rows.writePackage(row, { isDeleted: true });
      },
      values: () => this.rows.visiblePackages(this.userId),
    };
  }

  private createUsers(): RowsOf<User> {
    const values = () => this.rows.visibleUsers(this.userId);
    return {
      get: (id) => values().find((user) => user.id === id),
      set: (id, { version, ...body }) => {
        const { fieldVersions = {}, fieldWriters = {} } = this.rows.users.get(id) ?? {};
        const at = { changedAt: 0, partyChangedAt: 0 };
        this.rows.writeUser({ body, version: version - 1, fieldVersions, fieldWriters, ...at });
      },
      delete: (id) => void this.rows.users.delete(id),
      values,
    };
  }
}

function callOf(request: Request): Call {
  const { name } = request;
  if ('since' in request) {
    const place = 'place' in request ? request.place : undefined;
    return { name, targetId: '', key: '', body: request.since, place };
  }
  const body = 'body' in request ? request.body : null;
  const key = 'key' in request ? request.key : '';
  if (request.name === 'createPackage') {
    return { name, targetId: request.body._id ?? '', key, body };
  }
  return { name, targetId: request.name === 'patchUser' ? request.body.id : request.id, key, body };
}

function isMatch(matches: Matches, call: Call): boolean {
  return typeof matches === 'function' ? matches(call) : call.name === matches;
}
