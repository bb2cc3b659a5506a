/**
 * The outcome of every intent: the part of the oracle that observes the running model. An intent
 * may have several ids: retrying a refused operation gives it a new one.
 */
import { isErrorCode } from '#contract/errors.ts';
import type { OutboxRow, UserDatabase } from '#db/user-database.ts';
import { isSameValue } from '#domain/location.ts';
import { laneOf, type Operation } from '#domain/operation.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import { type Decided, type Mutation, printOf } from '#tests/fakes/strict-server.ts';
import { baseOf, concernsOf, type Fields, fieldsOf, lackOf, writtenBy } from './fields.ts';
import { tapOutbox } from './outbox-tap.ts';

export interface Account {
  /** Id of the first operation. */
  id: string;
  ids: Set<string>;
  /** Phone and user: '<phone> <user>'. */
  place: string;
  userId: string;
  operation: Operation;
  /** When it was enqueued or retried. */
  order: number;
  /** As stored in the outbox. */
  backoff: OutboxRow['backoff'];
  /** Everything enqueued before this was behind it when it went to attention; 0: it never did. */
  refusedAt: number;
  /** The values the user saw in the fields they changed; null: not an edit. */
  seen: ReadonlyMap<string, unknown> | null;
  isDurable: boolean;
  /** Refused, or behind a refused one, and not retried since. */
  isInAttention: boolean;
  isDiscarded: boolean;
  /** Refused by an intermediary: it may have been applied. */
  isDoubtful: boolean;
  /** Unreadable for this version: kept as found, and shown. */
  isQuarantined: boolean;
  applied: number;
  refusals: string[];
}

/** Accepted before, perhaps on another phone: nothing new is agreed to. */
function isTheirsAlready({ operation, userId }: Account, before: Package | User): boolean {
  return operation.name === 'acceptPackage' && 'sender' in before && before.courier?.id === userId;
}

export class Accounts {
  readonly all: Account[] = [];
  readonly violations: string[] = [];
  private readonly byId = new Map<string, Account>();
  private readonly seenById = new Map<string, Fields>();
  private readonly outboxes = new Map<string, Map<number, OutboxRow>>();
  private readonly prints = new Map<string, string>();
  private readonly lastApplied = new Map<string, number>();
  private readonly timesMeant = new Map<string, number>();
  private orders = 0;

  /** The server's row at a version, as seen by a user who decided again. */
  constructor(
    private readonly at: (operation: Operation, version: number) => Package | User | undefined,
    private readonly log: (line: string) => void,
  ) {}

  /** What the user saw in the fields that operation `id` changes. */
  expect(id: string, seen: Fields): void {
    this.seenById.set(id, seen);
  }

  of(id: string): Account | undefined {
    return this.byId.get(id);
  }

  /** `times`: outcomes of one kind that a tab has been notified of. */
  heard(id: string, times: number): void {
    if (times > (this.timesMeant.get(id) ?? 0)) this.violate(`heard too often of ${id.slice(-4)}`);
  }

  violate(text: string): void {
    this.log(`VIOLATION ${text}`);
    this.violations.push(text);
  }

  /** Observes this connection's outbox writes. */
  watch(db: UserDatabase, place: string): void {
    const rows = this.outboxes.get(place) ?? new Map<number, OutboxRow>();
    this.outboxes.set(place, rows);
    tapOutbox(db, rows, {
      onAdded: (row, before) => {
        this.orders += 1;
        this.timesMeant.set(row.id, (this.timesMeant.get(row.id) ?? 0) + 1);
        if (before) this.meantAnew(before, row);
        else this.meant(place, db.userId, row);
      },
      onChanged: (row, before) => {
        const account = this.byId.get(row.id);
        if (!account) return;
        account.backoff = row.backoff;
        if (row.state === before.state) return;
        account.isInAttention = true;
        account.refusedAt = this.orders;
      },
      onRemoved: (row) => {
        const account = this.byId.get(row.id);
        if (account && row.state === 'attention') account.isDiscarded = true;
      },
    });
  }

  private meant(place: string, userId: string, row: OutboxRow): void {
    const account: Account = {
      id: row.id,
      ids: new Set([row.id]),
      place,
      userId: userId.slice(0, 36),
      operation: row,
      order: this.orders,
      backoff: null,
      refusedAt: 0,
      seen: this.seenById.get(row.id) ?? null,
      isDurable: false,
      isInAttention: false,
      isDiscarded: false,
      isDoubtful: false,
      isQuarantined: false,
      applied: 0,
      refusals: [],
    };
    this.all.push(account);
    this.byId.set(row.id, account);
  }

  private meantAnew(before: OutboxRow, row: OutboxRow): void {
    const account = this.byId.get(before.id);
    if (!account) return;
    const isKept = before.id === row.id && isErrorCode(before.lastError?.code ?? '');
    if (isKept) this.violate(`${row.name} ${row.id.slice(-4)}: the server keeps its refusal`);
    account.isDiscarded = false;
    account.isInAttention = false;
    account.backoff = null;
    account.refusedAt = 0;
    account.ids.add(row.id);
    account.order = this.orders;
    this.byId.set(row.id, account);
    const baseVersion = baseOf(row);
    const inSight = baseVersion === undefined ? undefined : this.at(row, baseVersion);
    if (inSight) account.seen = fieldsOf(inSight);
  }

  decided({ userId, request, refusal, before, after }: Decided): void {
    const account = this.byId.get(request.key);
    if (!account) {
      this.violate(`${request.name} ${request.key}: nobody meant it`);
      return;
    }
    const name = `${account.operation.name} ${account.id.slice(-4)}`;
    if (account.userId !== userId) this.violate(`${name}: sent in another's name`);
    if (refusal !== null) {
      account.refusals.push(refusal);
      if (refusal === 'profile_incomplete') this.checkProfile(account, name);
      if (refusal === 'conflict' && before) this.checkConflict(account, before, name);
      return;
    }
    account.applied += 1;
    if (account.applied > 1) this.violate(`${name}: applied ${account.applied} times`);
    const lack = lackOf(account.operation, after);
    if (lack) this.violate(`${name}: done, and the row lacks ${lack}`);
    // A request already sent awaits no answer once its operation became unreadable.
    if (account.isDoubtful || account.isQuarantined) return;
    const lane = `${account.place} ${laneOf(account.operation)}`;
    if ((this.lastApplied.get(lane) ?? 0) > account.order) this.violate(`${name}: out of order`);
    this.lastApplied.set(lane, account.order);
    this.checkLeaning(account, name);
    if (before) this.checkOverwrite(account, before, name);
  }

  /** Users who completed their profile here first must not be told that it is incomplete. */
  private checkProfile(account: Account, name: string): void {
    const isPending = this.all.some(
      (other) =>
        other.place === account.place &&
        other.operation.name === 'editProfile' &&
        other.operation.args.changes.phoneNumber !== undefined &&
        other.order < account.order &&
        other.applied === 0 &&
        other.refusals.length === 0 &&
        !other.isQuarantined &&
        !(other.isDiscarded || other.isInAttention),
    );
    if (isPending) this.violate(`${name}: sent before the profile that it needs`);
  }

  /** Operations behind a refused one are not sent without it. */
  private checkLeaning(account: Account, name: string): void {
    const lane = laneOf(account.operation);
    const isLeaning = this.all.some(
      (other) =>
        other.place === account.place &&
        laneOf(other.operation) === lane &&
        other.order < account.order &&
        account.order <= other.refusedAt,
    );
    if (isLeaning) this.violate(`${name}: sent without what it leaned on`);
  }

  /** A repeat is the identical request, and Retry-After holds even for a user's request. */
  sent(request: Mutation, nowMs: number): void {
    const print = printOf(request);
    const name = `${request.name} ${request.key.slice(-4)}`;
    if ((this.prints.get(request.key) ?? print) !== print) this.violate(`${name}: sent otherwise`);
    this.prints.set(request.key, print);
    const backoff = this.byId.get(request.key)?.backoff;
    if (!backoff?.isServerRequested) return;
    const { fromMs, untilMs } = backoff;
    if (nowMs >= fromMs && nowMs < untilMs) this.violate(`${name}: sent before its Retry-After`);
  }

  /** Values an operation would replace or rely on that its user had neither seen nor written. */
  private unseen(account: Account, before: Package | User): string[] {
    const { operation, seen } = account;
    const replaced = fieldsOf(before);
    const base = this.rowOfBase(account);
    return [...concernsOf(operation)].flatMap(([field, value]) => {
      const was = replaced.get(field);
      const known = [value, seen?.get(field), base?.get(field)];
      if (known.some((one) => isSameValue(one, was))) return [];
      const isOwn = this.ownOf(account).some((own) =>
        isSameValue(writtenBy(own.operation).get(field), was),
      );
      return isOwn ? [] : [`${field} '${String(was)}'`];
    });
  }

  /** Enqueued on the same phone by the same user for the same target. */
  private ownOf({ place, operation }: Account): Account[] {
    return this.all.filter(
      (other) => other.place === place && other.operation.targetId === operation.targetId,
    );
  }

  /** What is replaced or agreed to is what the user saw or had written. */
  private checkOverwrite(account: Account, before: Package | User, name: string): void {
    if (account.seen === null || isTheirsAlready(account, before)) return;
    const [first] = this.unseen(account, before);
    if (first) this.violate(`${name}: wrote over ${first}, never seen`);
  }

  /** Nobody conflicts with themselves. */
  private checkConflict(account: Account, before: Package | User, name: string): void {
    if (this.unseen(account, before).length === 0) this.violate(`${name}: conflicts with nobody`);
  }

  quarantined(id: string): void {
    const account = this.byId.get(id);
    if (account) account.isQuarantined = true;
  }

  /** The row of the version an edit was made on, as the screen named it. */
  private rowOfBase({ operation }: Account): Fields | undefined {
    const row = this.at(operation, baseOf(operation) ?? 0);
    return row && fieldsOf(row);
  }

  /** At the end nothing is lost and no refusal hidden. `held`: the contents of each outbox. */
  settle(held: ReadonlyMap<string, Operation>): void {
    for (const account of this.all) {
      const rows = [...account.ids].flatMap((id) => held.get(id) ?? []);
      const name = `${account.operation.name} ${account.id.slice(-4)}`;
      if (rows.length > 1) this.violate(`${name}: twice in the outbox`);
      if (account.isQuarantined) {
        if (rows.length + account.applied === 0) this.violate(`${name}: lost`);
        continue;
      }
      const row = rows[0];
      if (row?.state === 'waiting') this.violate(`${name}: still waiting`);
      if (row && !row.lastError) this.violate(`${name}: in attention without a reason`);
      if (account.isDoubtful) continue;
      if (row) {
        if (account.applied > 0) this.violate(`${name}: done, and shown as refused`);
      } else if (account.applied === 0 && account.isDurable && !this.isSettled(account)) {
        this.violate(`${name}: lost`);
      }
      if (account.isDiscarded && account.applied > 0) this.violate(`${name}: done, and discarded`);
    }
  }

  private isSettled({ isDiscarded, operation, refusals }: Account): boolean {
    if (isDiscarded) return true;
    return operation.name === 'deletePackage' && refusals.includes('not_found');
  }
}
