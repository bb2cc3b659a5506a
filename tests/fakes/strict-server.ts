/**
 * An in-memory server as strict as the real one: domain/patch and domain/policy decide, fields
 * conflict by version, each user sees their own part, and an Idempotency-Key has one outcome.
 * tests/sync/server-contract.test.ts compares it with the real server. Nothing here waits: a
 * request is begun, then answered later. It has no money.
 */
import { createHash, randomUUID } from 'node:crypto';
import { ApiFailure } from '#api/failure.ts';
import type { PackagesPlace } from '#api/packages.ts';
import type { PulledPage } from '#api/pulled-page.ts';
import type { OpenDisputeBody } from '#contract/dispute.ts';
import type { ErrorCode } from '#contract/errors.ts';
import {
  type EventType,
  eventsPerPage,
  type RecordEventBody,
  type WireEvent,
} from '#contract/event.ts';
import type { CreatePackageBody, PatchPackageBody } from '#contract/package.ts';
import { readPhone } from '#contract/phone.ts';
import type { PatchUserBody } from '#contract/user.ts';
import type { Writer } from '#contract/writer.ts';
import { withCheckDigit } from '#domain/codes.ts';
import { readCorrection, readEvent, readRepeat, stepBefore } from '#domain/event.ts';
import { events, type RecordedEvent } from '#domain/event-types.ts';
import type { Failure } from '#domain/outcome.ts';
import { newPackage, type Package, type StoredPackage, withDispute } from '#domain/package.ts';
import { areDatesInOrder } from '#domain/package-form.ts';
import { type PatchReading, parsePatch, readPatch } from '#domain/patch.ts';
import { type Actor, can, canCreate, type Decision, type PackageFacts } from '#domain/policy.ts';
import { isShown, maxWrongCodes, picturesOf } from '#domain/proof.ts';
import { isProfileComplete, roleOf, type User } from '#domain/user.ts';
import { canAdministerUsers, canEditUser } from '#domain/user-policy.ts';
import { staleFields } from '#server/database/field-versions.ts';
import { errorCatalogue } from '#server/http/error-catalogue.ts';
import { eventsOfChange } from '#server/modules/packages/event-rules.ts';
import type { SyncApi } from '#sync/ports.ts';
import { freshPackage, type PackageRow, ServerRows } from './server-rows.ts';

export type Request =
  | { name: 'pullPackages'; since: string; place?: PackagesPlace | undefined }
  | { name: 'pullUsers'; since: string }
  | { name: 'getPackage'; id: string }
  | { name: 'listEvents'; id: string; before?: number | undefined }
  | { name: 'createPackage'; body: CreatePackageBody; key: string }
  | {
      name: 'patchPackage';
      id: string;
      body: PatchPackageBody;
      key: string;
      writer?: Writer | undefined;
    }
  | { name: 'recordEvent'; id: string; body: RecordEventBody; key: string }
  | { name: 'openDispute'; id: string; body: OpenDisputeBody; key: string }
  | { name: 'deletePackage'; id: string; key: string }
  | { name: 'putProof'; id: string; proofId: string; digest: string }
  | { name: 'patchUser'; body: PatchUserBody; key: string; writer?: Writer | undefined };

export type Mutation = Extract<Request, { key: string }>;
type RequestOf<N extends Request['name']> = Extract<Request, { name: N }>;
type Answer = Package | User | PulledPage<Package> | PulledPage<User> | WireEvent[] | null;

/** The engine's port, with every call as a request to `ask`. */
export function apiOf(ask: <T>(request: Request) => Promise<T>): SyncApi {
  return {
    pullPackages: (since, place) => ask({ name: 'pullPackages', since, place }),
    pullUsers: (since) => ask({ name: 'pullUsers', since }),
    getPackage: (id) => ask({ name: 'getPackage', id }),
    listEvents: (id, before) => ask({ name: 'listEvents', id, before }),
    createPackage: (body, key) => ask({ name: 'createPackage', body, key }),
    patchPackage: (id, body, key, writer) => ask({ name: 'patchPackage', id, body, key, writer }),
    recordEvent: (id, body, key) => ask({ name: 'recordEvent', id, body, key }),
    openDispute: (id, body, key) => ask({ name: 'openDispute', id, body, key }),
    deletePackage: (id, key) => ask({ name: 'deletePackage', id, key }),
    putProof: (id, proofId, { digest }) => ask({ name: 'putProof', id, proofId, digest }),
    patchUser: (body, key, writer) => ask({ name: 'patchUser', body, key, writer }),
  };
}

/** The outcome of a key, reported once when decided. */
export interface Decided {
  userId: string;
  request: Mutation;
  /** Null: applied. */
  refusal: ErrorCode | null;
  /** The row before and after, with the people on it; null: none. */
  before: Package | User | null;
  after: Package | User | null;
}

/** A body as the contract's schemas output it: with numbers in E.164. */
function asRead<Body extends object>(body: Body): Body {
  const read = (name: string, value: unknown) =>
    name === 'recipientPhone' || name === 'phoneNumber' ? readPhone(String(value)) : null;
  const entries = Object.entries(body).map(([name, value]) => [name, read(name, value) ?? value]);
  return Object.fromEntries(entries) as Body;
}

const storedStatuses: ReadonlySet<number> = new Set([402, 403, 404, 409, 422]);

/** A refusal of the catalogue; `names`: the conflicting fields. */
export function refusal(
  code: ErrorCode,
  current?: Package | User,
  names: readonly string[] = [],
): ApiFailure {
  const { status, message } = errorCatalogue[code];
  const fields = Object.fromEntries(names.map((name) => [name, message]));
  const failure: Failure = { kind: 'http', status, code, message };
  return new ApiFailure(names.length > 0 ? { ...failure, fields } : failure, current);
}

function requireOrderedDates({
  pickupDate,
  deliveryDate,
}: Pick<Package, 'pickupDate' | 'deliveryDate'>) {
  if (!areDatesInOrder(pickupDate, deliveryDate)) throw refusal('invalid_fields');
}

function insist(decision: Decision): void {
  if (!decision.isAllowed) throw refusal(decision.code);
}

/** Impossible on the real server: a bug of this file. */
function codeOf(error: unknown): ErrorCode {
  if (!(error instanceof ApiFailure)) throw error;
  return error.failure.code as ErrorCode;
}

export class StrictServer {
  readonly rows = new ServerRows();
  /** Those that were recorded, by package. */
  private readonly events = new Map<string, WireEvent[]>();
  private readonly outcomes = new Map<string, { print: string; answer: Answer | ApiFailure }>();
  private readonly inFlight = new Set<string>();

  constructor(
    private readonly onDecided: (decided: Decided) => void = () => {},
    private readonly now: () => number = () => Date.parse('2026-11-21T10:00:00.000Z'),
  ) {}

  /**
   * Accepts a request; calling the result does the work and returns the outcome. Throws ApiFailure
   * `in_progress` while another request with its key is unanswered.
   */
  begin(userId: string, request: Request): () => Answer {
    if (!('key' in request)) return () => this.read(userId, request);
    const place = `${userId} ${request.key}`;
    if (this.inFlight.has(place)) throw refusal('in_progress');
    this.inFlight.add(place);
    return () => {
      this.inFlight.delete(place);
      return this.once(userId, request);
    };
  }

  private read(userId: string, request: Exclude<Request, Mutation>): Answer {
    switch (request.name) {
      case 'pullPackages':
        return this.rows.packagePage(userId, request.since, request.place);
      case 'pullUsers':
        return this.rows.userPage(userId, request.since);
      case 'getPackage': {
        const row = this.rows.visiblePackages(userId).find(({ id }) => id === request.id);
        if (!row) throw refusal('not_found');
        return row;
      }
      case 'putProof':
        return this.keepPicture(userId, request);
      case 'listEvents':
        return (this.events.get(request.id) ?? [])
          .filter(({ seq }) => seq < (request.before ?? Number.POSITIVE_INFINITY))
          .slice(-eventsPerPage);
    }
  }

  /** What the last delivery of a package names, and whether it is a proof once it is all there. */
  private readonly named = new Map<string, readonly string[]>();
  private readonly shown = new Map<string, boolean>();

  private missingOf(id: string): number {
    return (this.named.get(id) ?? []).filter((one) => !this.pictures.has(one)).length;
  }

  /** Digests by id. A picture has no key: its id names these bytes. */
  readonly pictures = new Map<string, string>();

  private keepPicture(userId: string, request: RequestOf<'putProof'>): null {
    const row = this.rows.find(request.id);
    if (!row) throw refusal('not_found');
    if (row.body.courierId !== userId) throw refusal('forbidden');
    const known = this.pictures.get(request.proofId) ?? request.digest;
    if (known !== request.digest) throw refusal('id_taken');
    this.pictures.set(request.proofId, request.digest);
    const { photosMissing } = row.body;
    const missing = this.missingOf(request.id);
    if (missing < photosMissing) {
      const isProven = missing === 0 && row.body.verifiedBy === null && this.shown.get(request.id);
      const proven = isProven ? { verifiedBy: 'photo' as const } : {};
      this.rows.writePackage(row, { body: { ...row.body, ...proven, photosMissing: missing } });
    }
    return null;
  }

  private once(userId: string, request: Mutation): Answer {
    const place = `${userId} ${request.key}`;
    const print = printOf(request);
    const known = this.outcomes.get(place);
    if (known) {
      if (known.print !== print) throw refusal('key_reused');
      // As the client treats `Idempotency-Replayed`: no row, except for a profile.
      if (known.answer instanceof ApiFailure) throw new ApiFailure(known.answer.failure);
      return request.name === 'patchUser' ? structuredClone(known.answer) : null;
    }
    const before = this.rowOf(request);
    try {
      const answer = this.mutate(this.rows.actor(userId), request);
      this.outcomes.set(place, { print, answer });
      this.onDecided({ userId, request, refusal: null, before, after: this.rowOf(request) });
      return structuredClone(answer);
    } catch (error) {
      const code = codeOf(error);
      if (error instanceof ApiFailure && storedStatuses.has(error.failure.status)) {
        this.outcomes.set(place, { print, answer: error });
      }
      this.onDecided({ userId, request, refusal: code, before, after: before });
      throw error;
    }
  }

  private rowOf(request: Mutation): Package | User | null {
    if (request.name === 'patchUser') {
      const { body, version } = this.rows.user(request.body.id);
      return structuredClone({ ...body, version });
    }
    const id = request.name === 'createPackage' ? request.body._id : request.id;
    const row = this.rows.find(id ?? '');
    return row ? structuredClone(this.rows.whole(row)) : null;
  }

  protected mutate(actor: Actor, request: Mutation): Answer {
    switch (request.name) {
      case 'createPackage':
        return this.create(actor, asRead(request.body));
      case 'patchPackage':
        return this.patch(actor, { ...request, body: asRead(request.body) });
      case 'recordEvent':
        return this.record(actor, request);
      case 'openDispute':
        return this.dispute(actor, request);
      case 'deletePackage':
        return this.remove(actor, request.id);
      case 'patchUser':
        return this.patchUser(actor, { ...request, body: asRead(request.body) });
    }
  }

  private create(actor: Actor, body: CreatePackageBody): Package {
    const { _id: id = '', senderId = actor.id } = body;
    insist(canCreate(actor, senderId));
    if (senderId !== actor.id && !this.rows.users.get(senderId)?.body.isActive) {
      throw refusal('invalid_fields');
    }
    const { version: _, ...created } = newPackage(body, { id, senderId, at: this.at() });
    requireOrderedDates(created);
    if (this.rows.packages.has(id)) throw refusal('id_taken');
    const number = this.rows.packages.size + 1;
    const row: PackageRow = {
      body: withCodes({ ...created, packageId: `KY-${String(number).padStart(6, '0')}` }, number),
      ...freshPackage(),
      number,
      isDeleted: false,
      version: 0,
      fieldVersions: {},
      fieldWriters: {},
      changedAt: 0,
    };
    this.rows.writePackage(row, {});
    return this.rows.packageFor(actor.id, row);
  }

  private patch(actor: Actor, { id, body, writer }: RequestOf<'patchPackage'>): Package {
    const patch = parsePatch(body);
    if (patch === null) throw refusal('invalid_fields');
    const row = this.rows.find(id);
    if (!row) throw refusal('not_found');
    const before = { ...row.body, version: row.version };
    const reading = readPatch(actor, before, patch, this.at());
    if (!reading.isAllowed) throw refusal(reading.code);
    const { actions, next, changed, agreedTo } = reading;
    if (actions.includes('assign')) this.requireCourier(next);
    const { baseVersion } = patch;
    const stale = staleFields(row, [...changed, ...agreedTo], { baseVersion, writer });
    if (stale.length > 0) throw refusal('conflict', this.rows.packageFor(actor.id, row), stale);
    requireOrderedDates(next);
    if (next !== before) {
      const isPaid = next.paymentStatus === 'paid';
      const happened = eventsOfChange({ actions, changed, before, isPaid });
      for (const { type } of happened)
        this.keepStep(row, randomUUID(), type, { actor, before, next });
      const { version: _, ...written } = next;
      const body = withCodes(written, row.number);
      this.rows.writePackage(row, { body }, { fields: changed, writer });
    }
    return this.rows.packageFor(actor.id, row);
  }

  private record(actor: Actor, { id, body }: RequestOf<'recordEvent'>): Package {
    const row = this.rows.find(id);
    if (!row) throw refusal('not_found');
    const before = { ...row.body, version: row.version };
    const reading = this.readEvent(actor, row, before, body);
    if (!reading.isAllowed) throw refusal(reading.code);
    const { next } = reading;
    if (body.type === 'handover') this.requireCourier(next);
    if (body.type === 'corrected') row.steps.pop();
    else if (!reading.isRepeat) this.keepStep(row, body._id, body.type, { actor, before, next });
    const { version: _, ...written } = next;
    this.rows.writePackage(row, { body: written });
    const events = this.events.get(id) ?? [];
    const { type, reason = null, note = null, occurredAt, corrects = null } = body;
    if (type === 'delivered' && !reading.isRepeat) {
      this.named.set(id, picturesOf(body.proof ?? {}));
      this.shown.set(id, isShown(body.proof ?? {}));
    }
    const at = this.at();
    const corrected = events.find(({ _id }) => _id === corrects);
    if (corrected) corrected.correctedBy = body._id;
    events.push({
      _id: body._id,
      seq: events.length + 1,
      type,
      reason,
      note,
      occurredAt,
      corrects,
      receivedAt: at,
      effectiveAt: at,
      timeTrust: 'high',
      location: null,
      fields: null,
      proof: null,
      correctedBy: null,
      text: null,
      actor: { id: actor.id, role: actor.role, firstName: '' },
    });
    this.events.set(id, events);
    return this.rows.packageFor(actor.id, row);
  }

  private dispute(actor: Actor, { id, body }: RequestOf<'openDispute'>): Package {
    const row = this.rows.find(id);
    if (!row) throw refusal('not_found');
    insist(can(actor, 'dispute', row.body));
    const before = { ...row.body, version: row.version };
    const { version: _, ...written } = withDispute(before, body, row.body.senderId === actor.id);
    this.rows.writePackage(row, { body: written });
    return this.rows.packageFor(actor.id, row);
  }

  private readEvent(
    actor: Actor,
    row: PackageRow,
    before: StoredPackage,
    event: RecordedEvent,
  ): PatchReading {
    if (event.type === 'corrected') {
      const step = { corrects: event.corrects, last: row.steps.at(-1) ?? null };
      return readCorrection(actor, before, step, new Date(this.now()));
    }
    const what = event.type === 'returned' ? 'returnCode' : 'dropoffCode';
    const check = {
      isLocked: row.wrongCodes[what] >= maxWrongCodes,
      isRight: (secret: 'dropoffCode' | 'returnCode' | 'dropoffToken', given: string) =>
        before[secret] === given,
      isStored: (pictureId: string) => this.pictures.has(pictureId),
    };
    const at = this.at();
    const read = readEvent(actor, before, event, { at, check });
    const last = row.steps.at(-1) ?? null;
    const isOver = !read.isAllowed && read.code === 'invalid_state';
    const reading = (isOver && readRepeat(actor, before, event, { at, last, check })) || read;
    if (!reading.isAllowed && reading.code === 'wrong_code' && event.proof?.qr === undefined) {
      row.wrongCodes[what] += 1;
      const { version: _, ...body } = before;
      if (row.wrongCodes[what] === maxWrongCodes) {
        this.rows.writePackage(row, { body: { ...body, codeLocked: true } });
      }
    }
    return reading;
  }

  private keepStep(
    { steps }: PackageRow,
    id: string,
    type: EventType,
    { actor, before, next }: { actor: Actor; before: StoredPackage; next: StoredPackage },
  ): void {
    if (!events[type].isMoving) return;
    const receivedAt = new Date(this.now());
    steps.push({ id, type, actorId: actor.id, receivedAt, before: stepBefore(before, next) });
  }

  private at(): string {
    return new Date(this.now()).toISOString();
  }

  private requireCourier({ courierId, senderId }: PackageFacts): void {
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
    insist(can(actor, 'delete', row.body));
    this.rows.writePackage(row, { isDeleted: true });
    return null;
  }

  private patchUser(actor: Actor, { body, writer }: RequestOf<'patchUser'>): User {
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
    const stale = staleFields(row, names, { baseVersion, writer });
    if (stale.length > 0) {
      throw refusal('conflict', { ...row.body, version: row.version }, stale);
    }
    if (names.length > 0) {
      this.rows.writeUser(row, Object.fromEntries(wanted), { fields: names, writer });
    }
    return { ...row.body, version: row.version };
  }
}

type Body = PackageRow['body'];

/** Link and codes as the real server would give them, but known. */
function withCodes(body: Body, number: number): Body {
  const returnCode = body.returnCode ?? withCheckDigit(String(90_000 + number));
  const trackingPath = body.trackingPath ?? `/t/${String(number).padStart(22, '0')}`;
  const given = { ...body, returnCode, trackingPath };
  if (body.handover === 'none' || body.dropoffCode !== null) return given;
  const dropoffToken = String(number).padStart(22, '0');
  return {
    ...given,
    dropoffToken,
    codeLocked: false,
    dropoffCode: withCheckDigit(String(number).padStart(5, '0')),
    dropoffTokenHash: createHash('sha256').update(dropoffToken).digest('base64url'),
  };
}

/** What a repeat must have in common: everything except its writer, which is a header. */
export function printOf(request: Mutation): string {
  const { writer: _, ...rest } = { writer: undefined, ...request };
  return JSON.stringify(rest);
}
