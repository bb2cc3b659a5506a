/** One random life of a few users, their packages and top-ups, in step with the model. */
import { randomUUID } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { attemptReasons, type RecordEventBody } from '#contract/event.ts';
import type { PatchPackageBody } from '#contract/package.ts';
import type { Role } from '#contract/user.ts';
import { koboToNaira } from '#domain/money.ts';
import type { Actor } from '#domain/policy.ts';
import type { Database } from '#server/database/database.ts';
import { packages, proofs, users } from '#server/database/schema.ts';
import { Refusal } from '#server/http/refusal.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { findWallets } from '#server/modules/ledger/repository.ts';
import { adjust } from '#server/modules/ledger/service.ts';
import { openDispute, resolveDispute } from '#server/modules/packages/disputes.ts';
import { releaseDue } from '#server/modules/packages/due-releases.ts';
import { lastStep } from '#server/modules/packages/event-rules.ts';
import { readPast } from '#server/modules/packages/package-events.ts';
import { pictureArrived } from '#server/modules/packages/pictures.ts';
import {
  createPackage,
  deletePackage,
  patchPackage,
  recordEvent,
} from '#server/modules/packages/service.ts';
import { reconcile } from '#server/modules/payments/reconcile.ts';
import { createPaymentService, type PaymentService } from '#server/modules/payments/service.ts';
import { FakeProvider, fakeSecretKey } from '#tests/fakes/fake-provider.ts';
import {
  type Change,
  type ModelPackage,
  MoneyModel,
  releaseAfterMs,
  returnFeePercent,
  type Verdict,
} from '#tests/fakes/money-model.ts';
import { packageBody, type Stage } from './stage.ts';

/** The commands of a life, as data that fast-check can generate and shrink. */
export const kobo = fc.integer({ min: 1, max: 20 }).map((hundreds) => hundreds * 10_050);
const method = fc.constantFrom('cash' as const, 'app' as const);
/** Rarely with a code, without which its courier can deliver by a picture only. */
const handover = fc.constantFrom('none' as const, 'none' as const, 'code' as const);
/** Biased to the first, so that one package lives long enough to be paid for. */
const nth = fc.constantFrom(0, 0, 0, 1, 2, 3);
/** Rare, since it doubles the cost. */
const isTwice = fc.constantFrom(false, false, false, true);
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 1 });

/** A weighted command of one of these names. */
const one = <const D extends string, F extends object>(
  weight: number,
  names: readonly D[],
  fields: { [K in keyof F]: fc.Arbitrary<F[K]> },
) => {
  const named = fc.tuple(fc.constantFrom(...names), fc.record(fields));
  return { weight, arbitrary: named.map(([name, rest]) => ({ do: name, ...rest })) };
};
const says = fc.constantFrom('success', 'success', 'success', 'failed', 'abandoned');
const way = fc.constantFrom('verify', 'webhook', 'reconcile');
const status = fc.constantFrom('pending', 'in-transit', 'delivered', 'cancelled');
const wanted = fc.constantFrom('paid' as const, 'unpaid' as const);
/** Rarely it is only on its way back. */
const isEnded = fc.constantFrom(true, true, true, false);
const ways = fc.array(way, { minLength: 1, maxLength: 3 });
/** Null: without an attempt, started by the sender or an admin. */
const reason = fc.constantFrom(
  ...(['refused', 'wrong_address', 'lost', 'weather', null] as const),
  ...([null] as const),
);
const changes = {
  price: maybe(kobo),
  method: maybe(method),
  status: maybe(status),
  wanted: maybe(wanted),
};

export const command = fc.oneof(
  one(1, ['create'], { nth, kobo, method, handover }),
  one(2, ['topUp'], { nth, kobo }),
  one(3, ['settle'], { nth, says, ways }),
  one(12, ['accept', 'deliver', 'confirm', 'pay'], { nth, isTwice }),
  one(3, ['reject', 'cancel', 'delete'], { nth, isTwice }),
  one(5, ['edit', 'administer'], { nth, isTwice, ...changes }),
  one(4, ['comeBack'], { nth, reason, isTwice, isBySender: fc.boolean(), isEnded }),
  one(4, ['prove'], { nth, isTwice, isEarly: fc.boolean() }),
  one(3, ['show', 'picture'], { nth }),
  one(4, ['dispute'], { nth, bySender: fc.boolean() }),
  one(5, ['resolve'], { nth, percent: fc.constantFrom(0, 33, 50, 100), isTwice }),
  one(4, ['word'], { nth, isTwice, isByAdmin: fc.boolean() }),
  one(4, ['takeBack'], { nth, isTwice }),
  one(2, ['wait'], { hours: fc.constantFrom(1, 12, 24), isTwice }),
  one(1, ['adjust'], { nth, kobo, isTaken: fc.boolean() }),
);
export type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

const terms = { releaseAfterMs, returnFeePercent };

const actorFor = (id: string, role: Role): Actor => ({ id, role, isProfileComplete: true });

async function people(stage: Stage): Promise<Actor[]> {
  const at = stage.now();
  const roles: Role[] = ['Customer', 'Employee', 'Employee', 'Admin'];
  const rows = roles.map((role) => ({
    id: randomUUID(),
    passwordHash: '',
    roles: [role],
    firstName: 'Amina',
    lastName: 'Bello',
    phoneNumber: '+2348031234567',
    createdAt: at,
    updatedAt: at,
  }));
  const withEmail = rows.map((row) => ({ ...row, email: `${row.id}@kaya.test` }));
  await stage.database.db.insert(users).values(withEmail);
  return rows.map(({ id }, index) => actorFor(id, roles[index] ?? 'Customer'));
}

/** One random life of money, with users and a provider of its own on the shared database. */
export class Life {
  readonly provider = new FakeProvider();
  readonly model: MoneyModel;
  readonly db: Database;
  readonly payments: PaymentService;
  /** Refusals for lack of money. */
  shortOrPaidOut = 0;
  private hasWaited = false;
  /** What the last delivery of a package named. */
  private readonly pictures = new Map<string, string[]>();
  /** Who started the return, by package. */
  private readonly startedBy = new Map<string, 'sender' | 'admin'>();
  readonly seen = {
    ...{ disputes: 0, takenBack: 0, claims: 0, pictures: 0, settled: 0 },
    ...{ answered: 0, proven: 0, tooLate: 0, waited: 0 },
  };
  private readonly stage: Stage;
  private readonly actors: Actor[];

  private constructor(stage: Stage, actors: Actor[]) {
    this.stage = stage;
    this.actors = actors;
    this.db = stage.database.db;
    this.model = new MoneyModel(actors.map(({ id }) => id));
    this.payments = createPaymentService({
      db: this.db,
      provider: this.provider,
      now: stage.now,
      providerName: 'sandbox',
      secretKey: fakeSecretKey,
      log: { error: () => undefined, warn: () => undefined },
    });
  }

  static async begin(stage: Stage): Promise<Life> {
    return new Life(stage, await people(stage));
  }

  actor(index: number): Actor {
    const found = this.actors[index];
    if (!found) throw new Error('There are four people.');
    return found;
  }

  /** The senders are the customer and the first courier. */
  sender = (index: number) => this.actor(index % 2);
  courierFor = ({ senderId }: ModelPackage) => this.actor(this.actor(2).id === senderId ? 1 : 2);
  admin = () => this.actor(3);

  async outcomeOf(work: () => Promise<unknown>): Promise<Verdict | { is: 'refused' }> {
    try {
      await work();
      return { is: 'fine' };
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      const { code } = error;
      if (code === 'paid_out' || code === 'disputed' || code === 'too_late') return { is: code };
      if (code === 'money_spent') return { is: code };
      if (error.code !== 'insufficient_funds') return { is: 'refused' };
      return { is: 'short', missing: error.details.missingKobo ?? -1 };
    }
  }

  /** Runs the command, perhaps twice concurrently, and compares with the model. */
  change(pkg: ModelPackage, change: Change, work: () => Promise<unknown>, isTwice: boolean) {
    return this.compare(this.model.judge(pkg, change, this.nowMs()), work, isTwice);
  }

  nowMs = () => this.stage.now().getTime();

  async compare(
    { verdict, apply }: ReturnType<MoneyModel['judge']>,
    work: () => Promise<unknown>,
    isTwice: boolean,
  ) {
    const outcomes = await Promise.all(
      Array.from({ length: isTwice ? 2 : 1 }, () => this.outcomeOf(work)),
    );
    // With two concurrent runs the second may find the work done, so either's success counts.
    const outcome = outcomes.find(({ is }) => is === 'fine') ?? outcomes[0];
    if (outcome?.is === 'refused') return outcome;
    expect(outcome).toEqual(verdict);
    if (outcome?.is !== 'fine') this.shortOrPaidOut += 1;
    if (outcome?.is === 'fine') apply();
    return outcome;
  }

  patch(actor: Actor, pkg: ModelPackage, body: PatchPackageBody): () => Promise<unknown> {
    return () =>
      this.db.transaction((tx) =>
        patchPackage(tx, {
          actor,
          id: pkg.id,
          body,
          now: this.stage.now(),
          limits: { acceptPackage: async () => undefined },
          maxCarried: 1000,
          terms,
        }),
      );
  }

  async create({ nth, kobo: price, method, handover }: Extract<Command, { do: 'create' }>) {
    const actor = this.sender(nth);
    const id = randomUUID();
    const body = packageBody({ _id: id, priceOffer: koboToNaira(price), paymentMethod: method });
    const now = this.stage.now();
    // The stage's body is untyped; its schema is tested elsewhere.
    const call = { actor, body: { deliveryDate: null, ...body } as never, now };
    await this.db.transaction((tx) => createPackage(tx, { ...call, handover }));
    this.model.create({ id, senderId: actor.id, price, method });
  }

  async topUp({ nth, kobo: amount }: Extract<Command, { do: 'topUp' }>) {
    const { id: userId } = this.actor(nth % 3);
    const work = await this.payments.initiate({
      userId,
      email: `${userId}@kaya.test`,
      amountNaira: koboToNaira(amount),
      callbackUrl: 'https://kaya.test/deposit',
    });
    const { data } = await this.db.transaction(work);
    const { reference } = data;
    this.model.topUps.push({ reference, userId, amount, isPaid: false, isCredited: false });
  }

  async settle({ nth, says, ways: wanted }: Extract<Command, { do: 'settle' }>) {
    // Old top-ups are asked about more rarely, and after three days no more.
    const ways = wanted.map((way) => (way === 'reconcile' && this.hasWaited ? 'verify' : way));
    const topUp = this.model.topUps[nth % this.model.topUps.length];
    if (!topUp) return;
    if (!topUp.isPaid) this.provider.tell(topUp.reference, { status: says });
    topUp.isPaid ||= says === 'success';
    const { raw, signature } = this.provider.webhook(topUp.reference);
    const way: Record<string, () => Promise<unknown>> = {
      verify: () => this.payments.verify(topUp.userId, topUp.reference),
      webhook: () => this.payments.hear(raw, signature),
      reconcile: () => this.reconcile(),
    };
    await Promise.all(ways.map((name) => way[name]?.()));
    if (ways.includes('reconcile')) this.model.topUps.forEach((one) => void this.model.settle(one));
    else this.model.settle(topUp);
  }

  reconcile() {
    return reconcile({ db: this.db, now: this.stage.now, payments: this.payments });
  }

  async adjust({ nth, kobo: amount, isTaken }: Extract<Command, { do: 'adjust' }>) {
    const { id: userId } = this.actor(nth % 3);
    const amountKobo = isTaken ? -amount : amount;
    const rest = { reason: 'A correction', actorId: this.admin().id, now: this.stage.now() };
    const outcome = await this.outcomeOf(() =>
      this.db.transaction((tx) => adjust(tx, { userId, amountKobo, ...rest })),
    );
    const missing = -(this.model.has(userId) + amountKobo);
    expect(outcome).toEqual(missing > 0 ? { is: 'short', missing } : { is: 'fine' });
    if (outcome.is !== 'fine') return;
    this.model.give(userId, amountKobo);
    this.model.adjusted += amountKobo;
  }

  async move(
    pkg: ModelPackage,
    act: 'accept' | 'deliver' | 'confirm' | 'pay' | 'reject' | 'cancel' | 'delete',
    isTwice: boolean,
  ) {
    const courier = this.courierOf(pkg) ?? this.courierFor(pkg);
    const sender = this.actors.find(({ id }) => id === pkg.senderId) ?? this.admin();
    const now = this.stage.now();
    const taken = { status: 'in-transit', courierId: courier.id } as const;
    const moves: Record<string, [Actor, Change, PatchPackageBody]> = {
      accept: [courier, taken, { deliveryPersonId: courier.id }],
      deliver: [courier, { status: 'delivered' }, { deliveryStatus: 'Delivered' }],
      confirm: [sender, { status: 'delivered', isVerified: true }, { deliveryStatus: 'delivered' }],
      pay: [sender, { wanted: 'paid' }, { paymentStatus: 'paid' }],
      reject: [courier, { status: 'pending', courierId: null }, { deliveryPersonId: null }],
      cancel: [sender, { status: 'cancelled' }, { deliveryStatus: 'Cancelled' }],
    };
    const move = moves[act];
    if (move) return this.change(pkg, move[1], this.patch(move[0], pkg, move[2]), isTwice);
    const remove = () =>
      this.db.transaction((tx) =>
        deletePackage(tx, { actor: this.admin(), id: pkg.id, now, terms }),
      );
    return this.change(pkg, { isDeleted: true }, remove, isTwice);
  }

  async edit(pkg: ModelPackage, command: Extract<Command, { do: 'edit' | 'administer' }>) {
    const { price, method, wanted, isTwice } = command;
    const isAdmin = command.do === 'administer';
    const status = isAdmin ? command.status : undefined;
    const needsCourier = status === 'in-transit' || status === 'delivered';
    const courierId = needsCourier ? (pkg.courierId ?? this.courierFor(pkg).id) : undefined;
    const actor = isAdmin ? this.admin() : this.sender(pkg.senderId === this.actor(0).id ? 0 : 1);
    const body: PatchPackageBody = {
      ...(price === undefined ? {} : { priceOffer: koboToNaira(price) }),
      ...(method === undefined ? {} : { paymentMethod: method }),
      ...(wanted === undefined ? {} : { paymentStatus: wanted }),
      ...(status === undefined ? {} : { deliveryStatus: status }),
      ...(courierId === undefined ? {} : { deliveryPersonId: courierId }),
    };
    const ends = status === 'pending' ? { courierId: null } : { courierId };
    const change: Change = {
      price,
      method,
      wanted,
      status: status as Change['status'],
      ...ends,
      isVerified: true,
    };
    await this.change(pkg, change, this.patch(actor, pkg, body), isTwice);
  }

  private record(
    actor: Actor,
    id: string,
    body: Omit<RecordEventBody, '_id' | 'occurredAt'>,
    happenedAt = this.stage.now(),
  ) {
    const now = this.stage.now();
    const event = { _id: randomUUID(), occurredAt: happenedAt.toISOString(), ...body };
    return () =>
      this.db.transaction((tx) =>
        recordEvent(tx, {
          actor,
          id,
          body: event,
          sentAt: undefined,
          now,
          terms,
          texting: null,
        }),
      );
  }

  /** Picked up, perhaps tried, and brought back, or on its way. */
  async comeBack(pkg: ModelPackage, command: Extract<Command, { do: 'comeBack' }>) {
    const { reason, isTwice, isBySender, isEnded } = command;
    const courier = this.courierOf(pkg);
    if (pkg.status !== 'in-transit' || !courier) return;
    const { id } = pkg;
    const isTaken = async (actor: Actor, body: Parameters<Life['record']>[2]) =>
      (await this.outcomeOf(this.record(actor, id, body))).is === 'fine';
    if ((await this.row(pkg)).progress !== 'returning') {
      await isTaken(courier, { type: 'picked_up' });
      if (reason && (await isTaken(courier, { type: 'attempt_failed', reason }))) {
        pkg.fault = attemptReasons[reason].fault;
      }
      this.stage.pass(60_000);
      const starter = isBySender ? this.ownerOf(pkg) : this.admin();
      expect(await isTaken(starter, { type: 'return_started' })).toBe(true);
      this.startedBy.set(id, isBySender ? 'sender' : 'admin');
    }
    if (!isEnded) return;
    const startedBy = this.startedBy.get(id) ?? 'admin';
    const now = this.nowMs();
    const apply = () => this.model.comeBack(pkg, startedBy, now);
    if (startedBy === 'sender' && pkg.held > 0) this.seen.claims += 1;
    const work = this.record(this.ownerOf(pkg), id, { type: 'returned' });
    await this.compare({ verdict: { is: 'fine' }, apply }, work, isTwice);
  }

  /** By the recipient's code; on the phone of a courier who was away since before or after a claim. */
  async prove(pkg: ModelPackage, { isEarly, isTwice }: Extract<Command, { do: 'prove' }>) {
    const courier = this.courierOf(pkg);
    const { dropoffCode: code, progress } = await this.row(pkg);
    const isDeclared = pkg.status === 'cancelled' && pkg.claimedAt !== null;
    if (!courier || code === null || (pkg.status !== 'in-transit' && !isDeclared)) return;
    const now = this.nowMs();
    const happenedAt = isDeclared ? (pkg.claimedAt ?? 0) + (isEarly ? -30_000 : 30_000) : now;
    const isReturning = !isDeclared && progress === 'returning';
    const isWon = isDeclared
      ? this.model.givesWay(pkg, happenedAt, now)
      : !isReturning || this.startedBy.get(pkg.id) === 'sender';
    // With the claim ends what was said of it.
    if (isDeclared && isWon) pkg.isDisputed = false;
    const proof = { code };
    const at = new Date(happenedAt);
    const work = this.record(courier, pkg.id, { type: 'delivered', proof }, at);
    const judged = this.model.judge(pkg, { status: 'delivered', isVerified: true }, now);
    const outcome = await this.compare(judged, work, isTwice);
    // What a dispatcher decides, or has decided, is not for the two to say.
    if (!pkg.isDisputed && !pkg.isDecided) expect(outcome?.is !== 'refused').toBe(isWon);
    if (!isDeclared && !isReturning) return;
    if (outcome?.is === 'fine') this.seen.proven += 1;
    else this.seen.tooLate += 1;
  }

  private courierOf = ({ courierId }: ModelPackage) =>
    this.actors.find(({ id }) => id === courierId);

  private async row({ id }: ModelPackage) {
    const [row] = await this.db.select().from(packages).where(eq(packages.id, id));
    if (!row) throw new Error('There is no such package.');
    return row;
  }

  private ownerOf = ({ senderId }: ModelPackage) =>
    this.actors.find(({ id }) => id === senderId) ?? this.admin();

  async dispute(pkg: ModelPackage, { bySender }: Extract<Command, { do: 'dispute' }>) {
    const courier = this.courierOf(pkg) ?? this.admin();
    const actor = bySender ? this.ownerOf(pkg) : courier;
    const body = { _id: randomUUID(), kind: 'damaged', text: 'Wet' } as const;
    const outcome = await this.outcomeOf(() =>
      this.db.transaction((tx) =>
        openDispute(tx, { actor, id: pkg.id, body, now: this.stage.now() }),
      ),
    );
    if (outcome.is === 'disputed') expect(pkg.isDisputed).toBe(true);
    const isOwnClaim = bySender && this.model.isClaimed(pkg);
    if (isOwnClaim) expect(outcome.is).not.toBe('fine');
    if (outcome.is === 'fine') this.model.dispute(pkg);
  }

  async resolve(pkg: ModelPackage, { percent, isTwice }: Extract<Command, { do: 'resolve' }>) {
    const { dispute } = await this.row(pkg);
    if (!dispute) return;
    const { _id: disputeId } = dispute;
    const decision = percent === 0 ? 'refund' : percent === 100 ? 'release' : 'split';
    const body = { decision, courierPercent: percent || 1, reason: 'As seen' } as const;
    const work = () =>
      this.db.transaction((tx) =>
        resolveDispute(tx, {
          actor: this.admin(),
          id: pkg.id,
          disputeId,
          body,
          now: this.stage.now(),
          terms,
        }),
      );
    if (pkg.paidOut && pkg.paidOut.amount * 100 !== pkg.price * percent) this.seen.settled += 1;
    await this.compare(this.model.judgeDecision(pkg, percent), work, isTwice);
    this.seen.disputes += 1;
  }

  /** By the courier, with a picture that is still on the phone. */
  async show(pkg: ModelPackage) {
    const courier = this.courierOf(pkg);
    if (pkg.status !== 'in-transit' || !courier) return;
    const photoIds = [randomUUID()];
    const proof = { photoIds, recipientName: 'Musa', relation: 'recipient' as const };
    const outcome = await this.outcomeOf(
      this.record(courier, pkg.id, { type: 'delivered', proof }),
    );
    if (outcome.is !== 'fine') return;
    this.pictures.set(pkg.id, photoIds);
    this.model.show(pkg, this.nowMs());
  }

  async pictureArrives(pkg: ModelPackage) {
    const [id] = this.pictures.get(pkg.id) ?? [];
    if (!pkg.isPictureMissing || !id || !pkg.courierId) return;
    const bytes = Buffer.from('a picture');
    const row = {
      id,
      packageId: pkg.id,
      courierId: pkg.courierId,
      bytes,
      digest: '',
      size: 9,
      storedDigest: '',
    };
    const createdAt = this.stage.now();
    await this.db.insert(proofs).values({ ...row, type: 'image/png', createdAt });
    await pictureArrived({ db: this.db, now: this.stage.now, terms }, pkg.id);
    this.model.pictureArrives(pkg, this.nowMs());
    this.seen.pictures += 1;
  }

  /** On what the other side, or chance, has said: the second one. */
  async word(pkg: ModelPackage, { isByAdmin, isTwice }: Extract<Command, { do: 'word' }>) {
    const isClaim = this.model.isClaimed(pkg);
    if (!isClaim && pkg.status !== 'delivered') return;
    const other = isClaim ? this.courierOf(pkg) : this.ownerOf(pkg);
    const actor = isByAdmin ? this.admin() : (other ?? this.admin());
    const work = this.record(actor, pkg.id, { type: 'confirmed' });
    const apply = () => this.model.settleClaim(pkg);
    const judged = isClaim
      ? { verdict: { is: 'fine' } as const, apply }
      : this.model.judgeWord(pkg);
    const outcome = await this.compare(judged, work, isTwice);
    if (isClaim && outcome?.is === 'fine') this.seen.answered += 1;
  }

  async takeBack(pkg: ModelPackage, isTwice: boolean) {
    if (pkg.status !== 'delivered') return;
    const step = lastStep(await readPast(this.db, pkg.id));
    if (step?.type !== 'delivered') return;
    const work = this.record(this.admin(), pkg.id, { type: 'corrected', corrects: step.id });
    await this.compare(this.model.judgeTakeBack(pkg), work, isTwice);
    this.seen.takenBack += 1;
  }

  async wait({ hours, isTwice }: Extract<Command, { do: 'wait' }>) {
    this.stage.pass(hours * 3_600_000);
    this.hasWaited = true;
    const fail = (error: Error) => {
      throw error;
    };
    const needs = { db: this.db, now: this.stage.now, terms };
    await Promise.all((isTwice ? [1, 2] : [1]).map(() => releaseDue(needs, fail)));
    this.seen.waited += this.model.packages.filter(
      ({ isPictureMissing }) => isPictureMissing,
    ).length;
    this.model.releaseDue(this.nowMs());
  }

  async run(command: Command): Promise<unknown> {
    this.stage.pass(5 * 60_000);
    if (command.do === 'create') return this.create(command);
    if (command.do === 'topUp') return this.topUp(command);
    if (command.do === 'settle') return this.settle(command);
    if (command.do === 'adjust') return this.adjust(command);
    if (command.do === 'wait') return this.wait(command);
    const pkg = this.model.packages[command.nth % this.model.packages.length];
    if (!pkg) return;
    if (command.do === 'edit' || command.do === 'administer') return this.edit(pkg, command);
    if (command.do === 'comeBack') return this.comeBack(pkg, command);
    if (command.do === 'dispute') return this.dispute(pkg, command);
    if (command.do === 'resolve') return this.resolve(pkg, command);
    if (command.do === 'takeBack') return this.takeBack(pkg, command.isTwice);
    if (command.do === 'show') return this.show(pkg);
    if (command.do === 'picture') return this.pictureArrives(pkg);
    if (command.do === 'word') return this.word(pkg, command);
    if (command.do === 'prove') return this.prove(pkg, command);
    return this.move(pkg, command.do, 'isTwice' in command && command.isTwice);
  }

  /** All pay what they began; none verify. */
  async end(): Promise<void> {
    this.stage.pass(60 * 60_000);
    for (const topUp of this.model.topUps) {
      this.provider.tell(topUp.reference, { status: 'success' });
      topUp.isPaid = true;
      this.model.settle(topUp);
    }
    await this.reconcile();
    if (!this.hasWaited) return;
    for (const { userId, reference } of this.model.topUps) {
      await this.payments.verify(userId, reference);
    }
  }

  async hold(): Promise<void> {
    expect(await audit(this.db)).toEqual([]);
    const ids = this.actors.map(({ id }) => id);
    const wallets = await findWallets(this.db, ids);
    let total = 0;
    for (const id of ids) {
      const { availableKobo = 0, heldKobo = 0 } = wallets.get(id) ?? {};
      expect([availableKobo, heldKobo]).toEqual([this.model.has(id), this.model.held(id)]);
      total += availableKobo + heldKobo;
    }
    const paid = [...this.provider.charges.values()].reduce(
      (sum, { amountKobo }) => sum + amountKobo,
      0,
    );
    expect(total).toBe(paid + this.model.adjusted);
    await this.holdPackages();
  }

  async holdPackages(): Promise<void> {
    if (this.model.packages.length === 0) return;
    const ids = this.model.packages.map(({ id }) => id);
    const rows = await this.db.select().from(packages).where(inArray(packages.id, ids));
    for (const pkg of this.model.packages) {
      const row = rows.find(({ id }) => id === pkg.id);
      const isPaid =
        pkg.method === 'cash' ? pkg.cashPaid : pkg.held > 0 || (pkg.paidOut?.amount ?? 0) > 0;
      expect(row).toMatchObject({
        priceKobo: pkg.price,
        paymentMethod: pkg.method,
        status: pkg.status,
        heldKobo: pkg.held,
        paymentStatus: isPaid ? 'paid' : 'unpaid',
      });
      expect(row?.paidOutAt !== null).toBe(pkg.paidOut !== null);
      expect(row?.paidOutKobo ?? null).toBe(pkg.paidOut?.amount ?? null);
      expect(row?.releaseAt?.getTime() ?? null).toBe(pkg.releaseAt);
      expect(row?.dispute !== null).toBe(pkg.isDisputed);
      expect(row?.photosMissing).toBe(pkg.isPictureMissing ? 1 : 0);
    }
  }
}
