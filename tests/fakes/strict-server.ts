/**
 * A server in memory that is as strict as the real one: domain/policy and domain/transition decide,
 * fields conflict by their versions, everybody sees their own part, and an Idempotency-Key has one
 * outcome. Nothing here waits: a request is begun, and later it is answered.
 */
import { ApiFailure } from '#api/failure.ts';
import type { PulledPage } from '#api/pulled-page.ts';
import { type ErrorCode, errorCatalogue } from '#contract/errors.ts';
import {
  type CreatePackageBody,
  type PackageChanges,
  type PackageField,
  type PatchPackageBody,
  packageFields,
} from '#contract/package.ts';
import type { PatchUserBody } from '#contract/user.ts';
import { bargain } from '#domain/conflict.ts';
import { isSameValue } from '#domain/location.ts';
import { nairaToKobo } from '#domain/money.ts';
import { type Package, packageToWire, withChanges } from '#domain/package.ts';
import { areDatesInOrder } from '#domain/package-form.ts';
import {
  type Actor,
  can,
  canAdministerUsers,
  canCreate,
  canEditUser,
  type Decision,
  editActionOf,
  factsOf,
} from '#domain/policy.ts';
import { parseStatus } from '#domain/status.ts';
import { transition } from '#domain/transition.ts';
import { isProfileComplete, roleOf, type User } from '#domain/user.ts';
import { type PackageRow, ServerRows } from './server-rows.ts';

export type Request =
  | { name: 'pullPackages' | 'pullUsers'; since: string }
  | { name: 'createPackage'; body: CreatePackageBody; key: string }
  | { name: 'patchPackage'; id: string; body: PatchPackageBody; key: string }
  | { name: 'deletePackage'; id: string; key: string }
  | { name: 'patchUser'; body: PatchUserBody; key: string };

export type Mutation = Extract<Request, { key: string }>;
type Answer = Package | User | PulledPage<Package> | PulledPage<User> | null;

/** What became of a key, told once, when it is decided. */
export interface Decided {
  userId: string;
  request: Mutation;
  /** Null: applied. */
  refusal: ErrorCode | null;
  /** The row before, with the people on it; null: there was none. */
  before: Package | User | null;
}

const storedStatuses: ReadonlySet<number> = new Set([402, 403, 404, 409, 422]);

function refusal(code: ErrorCode, current?: Package | User): ApiFailure {
  const { status, message } = errorCatalogue[code];
  return new ApiFailure({ kind: 'http', status, code, message }, current);
}

function insist(decision: Decision): void {
  if (!decision.isAllowed) throw refusal(decision.code);
}

/** What could not happen on the server itself is a mistake of this file. */
function codeOf(error: unknown): ErrorCode {
  if (!(error instanceof ApiFailure)) throw error;
  return error.failure.code as ErrorCode;
}

export class StrictServer {
  readonly rows = new ServerRows();
  private readonly outcomes = new Map<string, { print: string; answer: Answer | ApiFailure }>();
  private readonly inFlight = new Set<string>();

  constructor(
    private readonly onDecided: (decided: Decided) => void,
    private readonly now: () => number,
  ) {}

  /**
   * A request arrives; what is answered does the work and says the outcome, later. Throws ApiFailure
   * `in_progress` where another request with its key is not answered yet.
   */
  begin(userId: string, request: Request): () => Answer {
    if (!('key' in request)) return () => this.list(userId, request);
    const place = `${userId} ${request.key}`;
    if (this.inFlight.has(place)) throw refusal('in_progress');
    this.inFlight.add(place);
    return () => {
      this.inFlight.delete(place);
      return this.once(userId, request);
    };
  }

  private list(userId: string, { name, since }: Exclude<Request, Mutation>): Answer {
    return name === 'pullPackages'
      ? this.rows.packagePage(userId, since)
      : this.rows.userPage(userId, since);
  }

  private once(userId: string, request: Mutation): Answer {
    const place = `${userId} ${request.key}`;
    const print = JSON.stringify(request);
    const known = this.outcomes.get(place);
    if (known) {
      if (known.print !== print) throw refusal('key_reused');
      if (known.answer instanceof ApiFailure) throw known.answer;
      return structuredClone(known.answer);
    }
    const before = this.before(request);
    try {
      const answer = this.mutate(this.rows.actor(userId), request);
      this.outcomes.set(place, { print, answer });
      this.onDecided({ userId, request, refusal: null, before });
      return structuredClone(answer);
    } catch (error) {
      const code = codeOf(error);
      if (error instanceof ApiFailure && storedStatuses.has(error.failure.status)) {
        this.outcomes.set(place, { print, answer: error });
      }
      this.onDecided({ userId, request, refusal: code, before });
      throw error;
    }
  }

  private before(request: Mutation): Package | User | null {
    if (request.name === 'patchUser') {
      const { body, version } = this.rows.user(request.body.id);
      return structuredClone({ ...body, version });
    }
    const id = request.name === 'createPackage' ? request.body._id : request.id;
    const row = this.rows.find(id ?? '');
    return row ? structuredClone(this.rows.whole(row)) : null;
  }

  private mutate(actor: Actor, request: Mutation): Answer {
    switch (request.name) {
      case 'createPackage':
        return this.create(actor, request.body);
      case 'patchPackage':
        return this.patch(actor, request.id, request.body);
      case 'deletePackage':
        return this.remove(actor, request.id);
      case 'patchUser':
        return this.patchUser(actor, request.body);
    }
  }

  private create(actor: Actor, body: CreatePackageBody): Package {
    const { _id: id = '', senderId = actor.id, priceOffer, ...fields } = body;
    insist(canCreate(actor, senderId));
    if (!areDatesInOrder(fields.pickupDate, fields.deliveryDate)) throw refusal('invalid_fields');
    if (this.rows.packages.has(id)) throw refusal('id_taken');
    const number = this.rows.packages.size + 1;
    const at = new Date(this.now()).toISOString();
    const row: PackageRow = {
      body: {
        ...fields,
        pickupLocation: fields.pickupLocation ?? null,
        deliveryLocation: fields.deliveryLocation ?? null,
        ...{ id, packageId: `KY-${String(number).padStart(6, '0')}` },
        ...{ priceOfferKobo: nairaToKobo(priceOffer), status: 'pending', paymentStatus: 'unpaid' },
        ...{ createdAt: at, updatedAt: at },
      },
      ...{ number, senderId, courierId: null, isDeleted: false },
      ...{ version: 0, fieldVersions: {}, changedAt: 0 },
    };
    this.rows.writePackage(row, {}, []);
    return this.rows.packageFor(actor.id, row);
  }

  private patch(actor: Actor, id: string, body: PatchPackageBody): Package {
    const row = this.rows.find(id);
    if (!row) throw refusal('not_found');
    const current = this.rows.whole(row);
    const facts = factsOf(current);
    const { deliveryPersonId, deliveryStatus, paymentStatus: _, baseVersion, ...fields } = body;
    const status = deliveryStatus === undefined ? undefined : parseStatus(deliveryStatus);
    const target = transition(actor, facts, {
      courierId: deliveryPersonId,
      status: status ?? undefined,
    });
    if (!target.isAllowed) throw refusal(target.code);
    insist(can(actor, 'view', facts));
    const changes = differing(current, fields);
    const names = Object.keys(changes);
    if (Object.keys(fields).length > 0) insist(can(actor, editActionOf(changes), facts));
    if (target.actions.includes('assign')) this.insistOnCourier(target.courierId, row.senderId);
    const relied = target.actions.includes('accept') ? bargain : [];
    const isOutdated = (n: string) => (row.fieldVersions[n] ?? 0) > (baseVersion ?? Infinity);
    if ([...names, ...relied].some(isOutdated)) {
      throw refusal('conflict', this.rows.packageFor(actor.id, row));
    }
    const { sender: _s, courier: _c, version: _v, ...next } = withChanges(current, changes);
    if (!areDatesInOrder(next.pickupDate, next.deliveryDate)) throw refusal('invalid_fields');
    const isMoved = target.courierId !== row.courierId || target.status !== row.body.status;
    if (isMoved || names.length > 0) {
      const updatedAt = new Date(this.now()).toISOString();
      const moved = { ...next, status: target.status, updatedAt };
      this.rows.writePackage(row, { body: moved, courierId: target.courierId }, names);
    }
    return this.rows.packageFor(actor.id, row);
  }

  private insistOnCourier(courierId: string | null, senderId: string): void {
    const courier = courierId === null ? undefined : this.rows.users.get(courierId);
    const isFit =
      courier?.body.isActive &&
      roleOf(courier.body.roles) === 'Employee' &&
      isProfileComplete(courier.body);
    if (!isFit || courierId === senderId) throw refusal('invalid_fields');
  }

  private remove(actor: Actor, id: string): null {
    const row = this.rows.find(id);
    if (!row) throw refusal('not_found');
    insist(can(actor, 'delete', factsOf(this.rows.whole(row))));
    this.rows.writePackage(row, { isDeleted: true }, []);
    return null;
  }

  private patchUser(actor: Actor, body: PatchUserBody): User {
    const { id, baseVersion, password: _, active, ...changes } = body;
    insist(canEditUser(actor, id));
    if (active !== undefined || changes.roles !== undefined) insist(canAdministerUsers(actor));
    const row = this.rows.users.get(id);
    if (!row) throw refusal('not_found');
    const current = new Map<string, unknown>(Object.entries(row.body));
    const wanted = Object.entries(changes).filter(
      ([name, value]) => value !== undefined && String(current.get(name)) !== String(value),
    );
    const names = wanted.map(([name]) => name);
    if (baseVersion !== undefined && names.some((n) => (row.fieldVersions[n] ?? 0) > baseVersion)) {
      throw refusal('conflict', { ...row.body, version: row.version });
    }
    if (names.length > 0) this.rows.writeUser(row, Object.fromEntries(wanted), names);
    return { ...row.body, version: row.version };
  }
}

/** The fields of `changes` that are not already so. */
function differing(current: Package, changes: PackageChanges): PackageChanges {
  const wire = packageToWire(current);
  const differs = (field: PackageField) =>
    changes[field] !== undefined && !isSameValue(changes[field], wire[field]);
  return Object.fromEntries(packageFields.filter(differs).map((f) => [f, changes[f]]));
}
