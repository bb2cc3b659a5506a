/**
 * A server in memory behind the engine's port: versions, field-level conflicts and idempotency keys
 * as DESIGN.md section 4 has them, with the policy and the state machine of domain. Every call can
 * be made to fail in the ways a network and a server fail, and be held at a barrier.
 */
import { ApiFailure } from '#api/failure.ts';
import { type ErrorCode, errorCatalogue } from '#contract/errors.ts';
import {
  type CreatePackageBody,
  type PackageField,
  type PatchPackageBody,
  packageFields,
} from '#contract/package.ts';
import type { PatchUserBody } from '#contract/user.ts';
import { bargain } from '#domain/conflict.ts';
import { nairaToKobo } from '#domain/money.ts';
import type { Failure } from '#domain/outcome.ts';
import { type Package, withChanges } from '#domain/package.ts';
import { parseStatus } from '#domain/status.ts';
import { isProfileComplete, type Party, type User } from '#domain/user.ts';
import type { SyncApi } from '#sync/ports.ts';
import { FakeList } from './fake-list.ts';

export type CallName = keyof SyncApi;

/** `before`: never reached the server. `after`: done there, the answer lost or spoilt on the way. */
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

/** An answer of the server's own error catalogue. */
export function answers(code: ErrorCode): Fault {
  const { status, message } = errorCatalogue[code];
  return { when: 'before', failure: { kind: 'http', status, code, message } };
}

/** An answer with a bare status, for example from a proxy. */
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
  /** Resolves once a call stands at it. */
  reached: Promise<Call>;
  release(): void;
}

/** What all devices talk to. `actor` of a call is the `self` of the device that made it. */
export class FakeServer {
  readonly packages = new FakeList<Package>();
  readonly users = new FakeList<User>();
  readonly calls: Call[] = [];
  /** Effects that the server committed, one entry each: 'patchPackage <id>'. */
  readonly effects: string[] = [];
  mostAtOnce = 0;
  isReachable = true;
  private atOnce = 0;
  private readonly stored = new Map<string, { print: string; outcome: unknown; error?: unknown }>();
  private readonly fieldVersions = new Map<string, Map<string, number>>();
  private readonly rules: Rule[] = [];
  private readonly barriers: {
    matches: (call: Call) => boolean;
    stand(call: Call): Promise<void>;
  }[] = [];

  /** The next `times` matching calls meet `fault`. */
  fail(matches: CallName | ((call: Call) => boolean), fault: Fault, times = 1): void {
    this.rules.push({ matches: asMatch(matches), fault, left: times });
  }

  /** Forgets the faults that have not happened. */
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

  /** A change by somebody else, with the version going up. */
  changePackage(id: string, changes: Partial<Package>): void {
    const row = this.packages.get(id);
    if (!row) throw new Error(`No package ${id}`);
    this.write({ ...row, ...changes }, Object.keys(changes));
  }

  /** The calls in the shape `name target`, without lists. */
  mutations(): string[] {
    return this.calls
      .filter((call) => call.key !== '')
      .map((call) => `${call.name} ${call.targetId}`);
  }

  private write(row: Package, fields: readonly string[]): Package {
    const version = row.version + 1;
    const written = { ...row, version };
    this.packages.set(row.id, written);
    const versions = this.fieldVersions.get(row.id) ?? new Map<string, number>();
    for (const field of fields) versions.set(field, version);
    this.fieldVersions.set(row.id, versions);
    return written;
  }

  private async exchange<T>(call: Call, effect: () => T): Promise<T> {
    this.calls.push(call);
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    try {
      const barrier = this.barriers.find((one) => one.matches(call));
      // A turn of the loop in any case: calls that go out together must be seen together.
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
      const outcome = structuredClone(this.once(call, effect));
      if (rule) throw new ApiFailure(rule.fault.failure);
      return outcome;
    } finally {
      this.atOnce -= 1;
    }
  }

  /** The effect and its outcome under the key; a repeat gets the outcome, another body 422. */
  private once<T>(call: Call, effect: () => T): T {
    if (call.key === '') return effect();
    const print = JSON.stringify([call.name, call.targetId, call.body]);
    const known = this.stored.get(call.key);
    if (known) {
      if (known.print !== print) throw refusal('key_reused');
      if (known.error) throw known.error;
      return known.outcome as T;
    }
    try {
      const outcome = effect();
      this.effects.push(`${call.name} ${call.targetId}`);
      this.stored.set(call.key, { print, outcome });
      return outcome;
    } catch (error) {
      this.stored.set(call.key, { print, outcome: null, error });
      throw error;
    }
  }

  /** The port of one device whose user is `self`. */
  apiFor(self: Party): SyncApi {
    return {
      pullPackages: (since) =>
        this.exchange({ name: 'pullPackages', targetId: '', key: '', body: since }, () =>
          this.packages.page(since),
        ),
      pullUsers: (since) =>
        this.exchange({ name: 'pullUsers', targetId: '', key: '', body: since }, () =>
          this.users.page(since),
        ),
      createPackage: (body, key) =>
        this.exchange({ name: 'createPackage', targetId: body._id ?? '', key, body }, () =>
          this.create(self, body),
        ),
      patchPackage: (id, body, key) =>
        this.exchange({ name: 'patchPackage', targetId: id, key, body }, () =>
          this.patch(self, id, body),
        ),
      deletePackage: (id, key) =>
        this.exchange({ name: 'deletePackage', targetId: id, key, body: null }, () => {
          const row = this.packages.get(id);
          if (!row) throw refusal('not_found');
          if (row.courier) throw refusal('courier_assigned');
          this.packages.delete(id);
        }),
      patchUser: (body, key) =>
        this.exchange({ name: 'patchUser', targetId: body.id, key, body }, () =>
          this.patchUser(body),
        ),
    };
  }

  private create(self: Party, body: CreatePackageBody): Package {
    const { _id: id = '', senderId: _, priceOffer, ...fields } = body;
    if (this.packages.has(id)) throw refusal('id_taken');
    const sender = this.users.get(self.id);
    if (sender && !isProfileComplete(sender)) throw refusal('profile_incomplete');
    const row: Package = {
      ...fields,
      pickupLocation: fields.pickupLocation ?? null,
      deliveryLocation: fields.deliveryLocation ?? null,
      id,
      packageId: `KY-${String(this.packages.size + 1).padStart(6, '0')}`,
      version: 0,
      sender: self,
      courier: null,
      priceOfferKobo: nairaToKobo(priceOffer),
      status: 'pending',
      paymentStatus: 'unpaid',
      createdAt: '2026-11-21T10:00:00.000Z',
      updatedAt: '2026-11-21T10:00:00.000Z',
    };
    return this.write(row, packageFields);
  }

  private patch(self: Party, id: string, body: PatchPackageBody): Package {
    const row = this.packages.get(id);
    if (!row) throw refusal('not_found');
    const { deliveryPersonId, deliveryStatus, paymentStatus: _, baseVersion, ...changes } = body;
    const versions = this.fieldVersions.get(id);
    const isOutdated = (field: string) => (versions?.get(field) ?? 0) > (baseVersion ?? Infinity);
    const fields = Object.keys(changes) as PackageField[];
    const stale = [...fields, ...(deliveryPersonId ? bargain : [])].filter(isOutdated);
    if (stale.length > 0) throw refusal('conflict', row, stale);
    if (deliveryPersonId && row.courier && row.courier.id !== deliveryPersonId) {
      throw refusal('already_assigned');
    }
    const status = deliveryStatus === undefined ? row.status : parseStatus(deliveryStatus);
    const courier =
      deliveryPersonId === undefined ? row.courier : deliveryPersonId === null ? null : self;
    const wanted = { ...withChanges(row, changes), status: status ?? row.status, courier };
    // A patch that changes nothing leaves the version alone.
    return JSON.stringify(wanted) === JSON.stringify(row) ? row : this.write(wanted, fields);
  }

  private patchUser({ id, baseVersion, password: _, ...changes }: PatchUserBody): User {
    const row = this.users.get(id);
    if (!row) throw refusal('not_found');
    if ((baseVersion ?? row.version) < row.version) throw refusal('conflict');
    const present = Object.fromEntries(
      Object.entries(changes).filter(([, value]) => value !== undefined),
    ) as Partial<User>;
    const written = { ...row, ...present, version: row.version + 1 };
    this.users.set(id, written);
    return written;
  }
}

function refusal(code: ErrorCode, current?: Package, names?: readonly string[]): ApiFailure {
  const { failure } = answers(code);
  const fields = names && Object.fromEntries(names.map((name) => [name, failure.message]));
  return new ApiFailure(fields ? { ...failure, fields } : failure, current);
}

function asMatch(matches: CallName | ((call: Call) => boolean)): (call: Call) => boolean {
  return typeof matches === 'function' ? matches : (call) => call.name === matches;
}
