import { useRef, useState } from 'react';
import { ApiFailure } from '#api/failure.ts';
import { newId } from '#live/new-id.ts';
import { useSignedIn } from '#live/services.ts';

/** Why it was not paid. `missingNaira`: the sender's balance lacks so much. */
export type PayFailure =
  | { kind: 'short'; missingNaira: number }
  | { kind: 'unanswered' }
  | { kind: 'refused'; message: string };

function failureOf(error: unknown): PayFailure {
  if (!(error instanceof ApiFailure)) return { kind: 'refused', message: '' };
  const { kind, code, message, missingNaira } = error.failure;
  if (kind !== 'http') return { kind: 'unanswered' };
  if (code === 'insufficient_funds' && missingNaira !== undefined) {
    return { kind: 'short', missingNaira };
  }
  return { kind: 'refused', message };
}

/**
 * Pays for a package, by wallet or by noting the cash. Not queued (README, 'Money is not queued'):
 * it is done when the server says so, or not at all; and of what was shown, or not at all.
 */
export function usePayPackage(id: string) {
  const { api, engine } = useSignedIn();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<PayFailure | null>(null);
  /** Kept until it was answered: an answer that got lost is given again, nothing is done twice. */
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
      if (found.kind !== 'unanswered') key.current = '';
      setFailure(found);
      // Refused for what somebody else has done meanwhile: what is shown is old.
      engine.request('pull');
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { pay, isBusy, failure };
}
