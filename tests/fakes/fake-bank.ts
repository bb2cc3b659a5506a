/**
 * A provider of transfers in memory: one transfer for a reference, with an end of its own. Each call
 * can go wrong before or after it acts.
 */
import { ProviderError } from '#server/modules/payments/providers/paystack-calls.ts';
import type {
  Transfer,
  TransferProvider,
  TransferRequest,
} from '#server/modules/payments/providers/transfers.ts';

/** The process ends: what it would have done next is never done. */
export class Killed extends Error {
  override name = 'Killed';
}

/** How the next call goes. lost: it never arrives. cut: it acts, and the answer is lost. */
export const mishaps = ['none', 'lost', 'cut', 'busy', 'killedBefore', 'killedAfter'] as const;
export type Mishap = (typeof mishaps)[number];

/** What the bank makes of a transfer, one step after the other. */
export const courses = [
  ['pending', 'success'],
  ['success'],
  ['pending', 'failed'],
  ['otp', 'abandoned'],
  ['pending', 'blocked'],
  ['received', 'rejected'],
  ['pending', 'success', 'reversed'],
  ['pending', 'reversed'],
] as const;
export type Course = (typeof courses)[number] | readonly ['refused'];

interface Booked {
  request: TransferRequest;
  course: readonly string[];
  step: number;
}

export class FakeBank implements TransferProvider {
  readonly booked = new Map<string, Booked>();
  /** Of the calls to come; then none goes wrong. */
  readonly mishaps: Mishap[] = [];
  /** Of the next new transfer. */
  course: Course = ['success'];

  banks = async () => [];
  resolve = async () => 'AMINA BELLO';
  addRecipient = async () => 'RCP_1';

  private async mishap<T>(act: () => T): Promise<T> {
    const mishap = this.mishaps.shift() ?? 'none';
    if (mishap === 'lost') throw new ProviderError('unreachable');
    if (mishap === 'busy') throw new ProviderError('broken', 503);
    if (mishap === 'killedBefore') throw new Killed();
    const answer = act();
    if (mishap === 'cut') throw new ProviderError('silent');
    if (mishap === 'killedAfter') throw new Killed();
    return answer;
  }

  private transferOf(reference: string): Transfer | null {
    const found = this.booked.get(reference);
    if (!found) return null;
    const { course, step, request } = found;
    const status = course[step] ?? 'pending';
    return { status, reference, amountKobo: request.amountKobo, currency: 'NGN' };
  }

  transfer = (request: TransferRequest) =>
    this.mishap(() => {
      const { reference } = request;
      if (this.booked.has(reference)) return null;
      if (this.course[0] === 'refused') throw new ProviderError('refused', 400);
      this.booked.set(reference, { request, course: this.course, step: 0 });
      return this.transferOf(reference);
    });

  verifyTransfer = (reference: string) => this.mishap(() => this.transferOf(reference));

  /** The bank goes one step on. */
  step(reference: string): void {
    const found = this.booked.get(reference);
    if (found) found.step = Math.min(found.step + 1, found.course.length - 1);
  }

  /** Kobo that reached people's accounts and stayed there, by reference. */
  arrived(): Map<string, number> {
    const all = [...this.booked].filter(([, { course, step }]) => course[step] === 'success');
    return new Map(all.map(([reference, { request }]) => [reference, request.amountKobo]));
  }
}
