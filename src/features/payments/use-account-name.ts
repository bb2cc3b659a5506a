import { useEffect, useState } from 'react';
import { is } from 'valibot';
import { failureOf } from '#api/failure.ts';
import { accountNumberSchema } from '#contract/payout.ts';
import { useSignedIn } from '#data/services.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import { payouts as words } from '#messages/en/payouts.ts';

/** Whose account it is, by the bank. */
export type AccountName =
  | { kind: 'none' | 'looking' | 'unknown' }
  | { kind: 'found'; name: string }
  | { kind: 'failed'; sentence: string };

export const isAccountNumber = (text: string) => is(accountNumberSchema, text);

/** Asks once bank and number are whole, and again with `again`. */
export function useAccountName(bankCode: string, accountNumber: string) {
  const { api } = useSignedIn();
  const [tries, setTries] = useState(0);
  const [answer, setAnswer] = useState<{ of: string; found: AccountName }>();
  const isWhole = bankCode !== '' && isAccountNumber(accountNumber);
  const sought = `${bankCode} ${accountNumber} ${tries}`;
  useEffect(() => {
    if (!isWhole) return;
    let isGone = false;
    const hear = (found: AccountName) => isGone || setAnswer({ of: sought, found });
    api.resolveBank({ bankCode, accountNumber }).then(
      ({ accountName }) => hear({ kind: 'found', name: accountName }),
      (error) => {
        const failure = failureOf(error);
        if (failure?.code === 'account_unknown') return hear({ kind: 'unknown' });
        const said = { needsNetwork: words.needsNetwork, otherwise: words.form.nameFailed };
        return hear({ kind: 'failed', sentence: sentenceOfFailure(failure, said) });
      },
    );
    return () => {
      isGone = true;
    };
  }, [api, bankCode, accountNumber, isWhole, sought]);
  const name: AccountName = !isWhole
    ? { kind: 'none' }
    : answer?.of === sought
      ? answer.found
      : { kind: 'looking' };
  return { name, again: () => setTries((count) => count + 1) };
}
