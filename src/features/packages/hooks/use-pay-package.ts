import { useRef, useState } from 'react';
import { failureOf } from '#api/failure.ts';
import { newId } from '#data/new-id.ts';
import { useSignedIn } from '#data/services.ts';
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
  const { api, engine } = useSignedIn();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<PayFailure | null>(null);
  /** Kept until answered, so that a retry after a lost answer never pays twice. */
  const key = useRef('');

  /** Resolves to whether it is paid. `version`: the package's version on the screen. */
  const pay = async (version: number): Promise<boolean> => {
    if (isBusy) return false;
    key.current ||= newId();
    setIsBusy(true);
    setFailure(null);
    try {
      await api.patchPackage(id, { paymentStatus: 'paid', baseVersion: version }, key.current);
      key.current = '';
      engine.request('pull');
      return true;
    } catch (error) {
      const found = failureOf(error);
      if (!found || found.kind === 'http') key.current = '';
      setFailure(payFailureOf(found));
      // The package has probably changed: refreshes it.
      engine.request('pull');
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { pay, isBusy, failure };
}
