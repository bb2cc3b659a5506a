/** An in-memory payment provider with test-controlled outcomes. */
import { createHmac } from 'node:crypto';
import type { Charge, PaymentProvider } from '#server/modules/payments/providers/paystack.ts';

export const fakeSecretKey = 'sk_test_Wm4sK9pXz2Vb7QtJ6nLc';

export function signed(body: object): { raw: Buffer; signature: string } {
  const raw = Buffer.from(JSON.stringify(body));
  return { raw, signature: createHmac('sha512', fakeSecretKey).update(raw).digest('hex') };
}

export class FakeProvider implements PaymentProvider {
  readonly charges = new Map<string, Charge>();

  async initialize({ reference, amountKobo }: { reference: string; amountKobo: number }) {
    this.charges.set(reference, { status: 'ongoing', reference, amountKobo, currency: 'NGN' });
    return { authorizationUrl: `https://provider.test/${reference}` };
  }

  async verify(reference: string): Promise<Charge | null> {
    return this.charges.get(reference) ?? null;
  }

  /** The payer's action, or the provider's claim about it. */
  tell(reference: string, changes: Partial<Charge>): void {
    const charge = this.charges.get(reference);
    if (charge) this.charges.set(reference, { ...charge, ...changes });
  }

  webhook(reference: string): { raw: Buffer; signature: string } {
    const { amountKobo: amount, ...rest } = this.charges.get(reference) ?? {
      status: 'success',
      reference,
      currency: 'NGN',
      amountKobo: 100,
    };
    return signed({ event: 'charge.success', data: { ...rest, amount } });
  }
}
