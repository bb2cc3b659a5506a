import { useRef, useState } from 'react';
import { failureOf } from '#api/failure.ts';
import { newId } from '#data/new-id.ts';
import { useSignedIn } from '#data/services.ts';
import { type Failure, sentenceOfFailure } from '#domain/outcome.ts';
import { packagePayment as words } from '#messages/en/package-payment.ts';

/** Why it was not paid. `missingNaira`: the sender's balance lacks so much. */
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

/**
 * Pays for a package, by wallet or by noting the cash. Not queued (docs/decisions/0018):
 * it is done when the server says so, or not at all; and of what was shown, or not at all.
 */
export function usePayPackage(id: string) {
  const { api, engine } = useSignedIn();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<PayFailure | null>(null);
  /** Kept until it is answered: a lost answer is replayed, nothing is done twice. */
  const key = useRef('');

  /** Resolves to whether it is paid. `version`: of what was seen. */
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
      // Probably someone else has changed the package: what is shown is old.
      engine.request('pull');
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { pay, isBusy, failure };
}
