import { useState } from 'react';
import { useServerCall } from '#data/use-server-call.ts';
import { type Failure, sentenceOfFailure } from '#domain/outcome.ts';
import { packagePayment as words } from '#messages/en/package-payment.ts';

/** Why a payment failed. `missingNaira`: shortfall of the sender's balance. */
export type PayFailure =
  | { kind: 'short'; missingNaira: number }
  | { kind: 'other'; message: string };

function payFailureOf(failure: Failure | null): PayFailure {
  if (failure?.code === 'insufficient_funds' && failure.missingNaira !== undefined) {
    return { kind: 'short', missingNaira: failure.missingNaira };
  }
  const { needsNetwork, failed: otherwise } = words;
  return { kind: 'other', message: sentenceOfFailure(failure, { needsNetwork, otherwise }) };
}

/** Never queued (docs/decisions/0018): succeeds only online and only for the version shown. */
export function usePayPackage(id: string) {
  const { call, isBusy } = useServerCall();
  const [failure, setFailure] = useState<PayFailure | null>(null);

  /** Resolves with null once it is paid. `version`: the package's version on the screen. */
  const pay = async (version: number): Promise<PayFailure | null> => {
    if (isBusy) return { kind: 'other', message: '' };
    setFailure(null);
    const body = { paymentStatus: 'paid' as const, ...(version && { baseVersion: version }) };
    const called = await call(id, body, (api, key) => api.patchPackage(id, body, key));
    if (called.kind === 'done') return null;
    const fault = payFailureOf(called.failure);
    setFailure(fault);
    return fault;
  };
  return { pay, isBusy, failure };
}

export type Payment = ReturnType<typeof usePayPackage>;
