/**
 * A server's rows in memory: visibility, shape per reader, and changes since a cursor. Every write
 * is stamped with the next number; a delta is what was stamped after the reader's last series
 * began, or after the end of the last batch they name.
 */
import type { RowBatch } from '#api/events.ts';
import type { PackagesPlace } from '#api/packages.ts';
import type { PulledPage } from '#api/pulled-page.ts';
import { type Area, areaText } from '#contract/area.ts';
import type { Writer } from '#contract/writer.ts';
import type { Step } from '#domain/event.ts';
import { isSameValue } from '#domain/location.ts';
import type { Package, StoredPackage } from '#domain/package.ts';
import { type Actor, can } from '#domain/policy.ts';
import { redact } from '#domain/redact.ts';
import { isProfileComplete, type Party, roleOf, type User } from '#domain/user.ts';
import { areaFor, isElsewhere, isWithin } from '#domain/within-area.ts';
import { touch, type Versioned } from '#server/database/field-versions.ts';

interface Stored extends Versioned {
  changedAt: number;
}

/** The fields a write changes, and its writer. */
export interface Touched {
  fields: readonly string[];
  writer?: Writer | undefined;
}

export interface PackageRow extends Stored {
  body: Omit<StoredPackage, 'version'>;
  number: number;
  isDeleted: boolean;
  /** What moved it, oldest first, without what was taken back. */
  steps: Step[];
  wrongCodes: { dropoffCode: number; returnCode: number };
}

export const freshPackage = () => ({
  steps: [],
  wrongCodes: { dropoffCode: 0, returnCode: 0 },
});

export interface UserRow extends Stored {
  body: Omit<User, 'version'>;
  /** The stamp of the last change to what packages show of them. */
  partyChangedAt: number;
}

interface Place {
  list: 'packages' | 'users';
  userId: string;
  role: string;
  /** lat,lng,km; 'all' without one. */
  area: string;
  epoch: number;
  /** The stamp the reader had seen when the series began; null: a full list. */
  base: number | null;
  /** The stamp the reader will have seen at its end. */
  target: number;
  /** The key of the previous page's last row; null: the series is complete. */
  after: string | null;
}

export class ServerRows {
  readonly packages = new Map<string, PackageRow>();
  readonly users = new Map<string, UserRow>();
  /** Maximum rows per page. */
  readonly pageSize = { packages: 500, users: 500 };
  /** The last stamp assigned. */
  private stamp = 0;
  private epoch = 1;
  /** Stamps by '<sender> <courier>' that shared a package: when that last began or ended. */
  private readonly meetings = new Map<string, number>();
  /** Stamps by '<package> <courier>' of the last change before or after which it was theirs. */
  private readonly carried = new Map<string, number>();
  /** Stamps by package: when its pickup last moved. */
  private readonly moves = new Map<string, number>();

  actor(userId: string): Actor {
    const user = this.user(userId);
    return {
      id: userId,
      role: roleOf(user.body.roles),
      isProfileComplete: isProfileComplete(user.body),
    };
  }

  user(userId: string): UserRow {
    const row = this.users.get(userId);
    if (!row) throw new Error(`No user ${userId}`);
    return row;
  }

  /** Finds a package that is not deleted. */
  find(id: string): PackageRow | null {
    const row = this.packages.get(id);
    return row && !row.isDeleted ? row : null;
  }

  whole({ body, version }: PackageRow): Package {
    const { senderId, courierId, ...rest } = body;
    const courier = courierId === null ? null : this.party(courierId);
    return { ...rest, version, sender: this.party(senderId), courier };
  }

  /** As `userId` sees it. */
  packageFor(userId: string, row: PackageRow): Package {
    return structuredClone(redact(this.actor(userId), this.whole(row)));
  }

  /** As `readerId` sees them; null: not visible. */
  userFor(readerId: string, userId: string): User | null {
    const { body, version } = this.user(userId);
    const whole = structuredClone({ ...body, version });
    if (readerId === userId || this.actor(readerId).role === 'Admin') return whole;
    if (!this.isCounterpart(readerId, userId)) return null;
    const hidden = { email: null, address: null, vehicle: null, balance: null };
    const { emailConfirmed: _, ...seen } = whole;
    return { ...seen, ...hidden, isActive: true, roles: [] };
  }

  /** The next version, in which `fields` change. */
  writePackage(
    row: PackageRow,
    changes: Partial<Pick<PackageRow, 'body' | 'isDeleted' | 'steps' | 'wrongCodes'>>,
    { fields, writer }: Touched = { fields: [] },
  ): void {
    const { id, courierId, pickupLocation } = row.body;
    Object.assign(row, changes, touch(row, fields, writer), { changedAt: this.next() });
    if (courierId !== row.body.courierId) {
      Object.assign(row, { wrongCodes: freshPackage().wrongCodes });
      row.body = { ...row.body, codeLocked: false };
    }
    this.packages.set(id, row);
    if (!isSameValue(pickupLocation, row.body.pickupLocation)) this.moves.set(id, row.changedAt);
    for (const courier of [courierId, row.body.courierId]) {
      if (courier === null) continue;
      this.carried.set(`${id} ${courier}`, row.changedAt);
      this.meetings.set(`${row.body.senderId} ${courier}`, this.next());
    }
  }

  writeUser(
    row: UserRow,
    changes: Partial<UserRow['body']> = {},
    { fields, writer }: Touched = { fields: [] },
  ): void {
    row.body = { ...row.body, ...changes };
    Object.assign(row, touch(row, fields, writer));
    row.changedAt = this.next();
    row.partyChangedAt = row.changedAt;
    this.users.set(row.body.id, row);
  }

  /** Voids every cursor, as after a restore. */
  forgetCursors(): void {
    this.epoch += 1;
  }

  /** This moment, as a batch of the stream names it. */
  snapshot(): string {
    return `${this.epoch}:${this.stamp}`;
  }

  isOfThisEpoch(snapshot: string): boolean {
    return snapshot.startsWith(`${this.epoch}:`);
  }

  visiblePackages(userId: string, area: Area | null = null): Package[] {
    return [...this.packages.values()]
      .filter((row) => this.isListed(userId, row, area))
      .map((row) => this.packageFor(userId, row));
  }

  visibleUsers(userId: string): User[] {
    return [...this.users.keys()].flatMap((id) => this.userFor(userId, id) ?? []);
  }

  packagePage(
    userId: string,
    since: string,
    { streamed, area = null }: PackagesPlace = {},
  ): PulledPage<Package> {
    return this.page({ list: 'packages', userId, since, streamed, area }, (base) =>
      [...this.packages.values()]
        .filter((row) =>
          base === null
            ? this.isListed(userId, row, area)
            : this.isPackageChanged(userId, row, base),
        )
        .map((row) => ({
          // Newest first.
          key: String(1_000_000 - row.number).padStart(7, '0'),
          id: row.body.id,
          shown: this.isListed(userId, row, area) ? this.packageFor(userId, row) : null,
        })),
    );
  }

  /** What changed since `from` for this reader, up to now. */
  batch(userId: string, from: string, area: Area | null): RowBatch {
    const base = Number(from.split(':')[1]);
    const batch: RowBatch = { from, to: this.snapshot(), rows: [], removals: [], length: 0 };
    for (const row of this.packages.values()) {
      if (!this.isPackageChanged(userId, row, base)) continue;
      const { id } = row.body;
      if (this.isListed(userId, row, area)) batch.rows.push(this.packageFor(userId, row));
      else if (this.mayHave(userId, row, area, base)) {
        batch.removals.push({ id, version: row.version });
      }
    }
    batch.length = JSON.stringify(batch).length;
    return batch;
  }

  /** A working area does not receive an offer that was never inside it. */
  private mayHave(userId: string, row: PackageRow, area: Area | null, base: number): boolean {
    const { id, senderId, pickupLocation } = row.body;
    if (
      senderId === userId ||
      isWithin(areaFor(this.actor(userId), area ?? undefined), pickupLocation)
    ) {
      return true;
    }
    const told = [this.moves.get(id), this.carried.get(`${id} ${userId}`)];
    return told.some((stamp) => stamp !== undefined && stamp > base);
  }

  /** Did any user change for this reader since `from`? */
  hasNewUsers(userId: string, from: string): boolean {
    const base = Number(from.split(':')[1]);
    return [...this.users.keys()].some((id) => this.isUserChanged(userId, id, base));
  }

  private isPackageChanged(userId: string, row: PackageRow, base: number): boolean {
    const { senderId, courierId } = row.body;
    const isOwn = this.actor(userId).role !== 'Customer' || senderId === userId;
    const partyAt = (id: string | null) => (id === null ? 0 : this.user(id).partyChangedAt);
    const hasNewParty = Math.max(partyAt(senderId), partyAt(courierId)) > base;
    return (row.changedAt > base && isOwn) || (hasNewParty && this.isVisible(userId, row));
  }

  userPage(userId: string, since: string): PulledPage<User> {
    return this.page({ list: 'users', userId, since }, (base) =>
      [...this.users.keys()]
        .map((id) => ({ key: id, id, shown: this.userFor(userId, id) }))
        .filter(({ id, shown }) =>
          base === null ? shown !== null : this.isUserChanged(userId, id, base),
        ),
    );
  }

  private isUserChanged(readerId: string, id: string, base: number): boolean {
    const { changedAt } = this.user(id);
    if (id === readerId || this.actor(readerId).role === 'Admin') return changedAt > base;
    const pairs = [`${readerId} ${id}`, `${id} ${readerId}`];
    const metAt = Math.max(...pairs.map((pair) => this.meetings.get(pair) ?? 0));
    return metAt > 0 && Math.max(metAt, changedAt) > base;
  }

  private page<Row>(
    {
      list,
      userId,
      since,
      streamed,
      area,
    }: PackagesPlace & Pick<Place, 'list' | 'userId'> & { since: string },
    changed: (base: number | null) => { key: string; id: string; shown: Row | null }[],
  ): PulledPage<Row> {
    const holder = {
      list,
      userId,
      role: this.actor(userId).role,
      epoch: this.epoch,
      area: area ? areaText(area) : 'all',
    };
    const isForeign = streamed !== undefined && !this.isOfThisEpoch(streamed);
    const place = isForeign ? null : readPlace(since, holder);
    const isFirst = place === null || place.after === null;
    const seen = streamed === undefined ? place?.target : Number(streamed.split(':')[1]);
    const base = place && (place.after === null ? (seen ?? null) : place.base);
    const target = isFirst ? this.stamp : place.target;
    const after = place?.after ?? null;
    const behind = changed(base)
      .filter(({ key }) => after === null || key > after)
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const page = behind.slice(0, this.pageSize[list]);
    const last = behind.length > page.length ? page.at(-1) : undefined;
    const next: Place = last
      ? { ...holder, base, target, after: last.key }
      : { ...holder, base: null, target, after: null };
    return {
      rows: page.flatMap(({ shown }) => shown ?? []),
      removedIds: page.flatMap(({ id, shown }) => (shown === null ? [id] : [])),
      cursor: cursorOf(next),
      hasMore: last !== undefined,
      isReset: isFirst && base === null,
    };
  }

  private next(): number {
    this.stamp += 1;
    return this.stamp;
  }

  private party(userId: string): Party {
    const { id, firstName, lastName, email, phoneNumber } = this.user(userId).body;
    return { id, firstName, lastName, email, phoneNumber };
  }

  private isVisible(userId: string, row: PackageRow): boolean {
    if (row.isDeleted) return false;
    return can(this.actor(userId), 'view', row.body).isAllowed;
  }

  /** A courier's area leaves out offers elsewhere. */
  private isListed(userId: string, row: PackageRow, area: Area | null): boolean {
    if (!this.isVisible(userId, row)) return false;
    const actor = this.actor(userId);
    return !isElsewhere(
      actor,
      areaFor(actor, area ?? undefined),
      row.body,
      row.body.pickupLocation,
    );
  }

  private isCounterpart(a: string, b: string): boolean {
    return [...this.packages.values()].some(
      ({ isDeleted, body: { senderId, courierId } }) =>
        !isDeleted && ((senderId === a && courierId === b) || (senderId === b && courierId === a)),
    );
  }
}

/** '<epoch> <list> <reader> <role> <area> <base> <target> <after>' */
function cursorOf({ epoch, list, userId, role, area, base, target, after }: Place): string {
  return [epoch, list, userId, role, area, base ?? 'full', target, after ?? ''].join(' ');
}

/** Null: for another reader, role, area, list or epoch, or invalid. */
function readPlace(since: string, holder: Omit<Place, 'base' | 'target' | 'after'>): Place | null {
  const { epoch, list, userId, role, area } = holder;
  const prefix = [epoch, list, userId, role, area, ''].join(' ');
  if (!since.startsWith(prefix)) return null;
  const [base, target, after] = since.slice(prefix.length).split(' ');
  return {
    ...holder,
    base: base === 'full' ? null : Number(base),
    target: Number(target),
    after: after || null,
  };
}
