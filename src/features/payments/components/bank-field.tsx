import { type KeyboardEvent, useCallback, useEffect, useState } from 'react';
import { failureOf } from '#api/failure.ts';
import type { Bank, Banks } from '#contract/payout.ts';
import { useSignedIn } from '#data/services.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import css from '#features/payments/payments.module.css';
import { searchBanks } from '#features/payments/payout-rules.ts';
import { payouts as words } from '#messages/en/payouts.ts';
import { Button } from '#ui/button.tsx';
import { Skeletons } from '#ui/card.tsx';
import { TextField } from '#ui/field.tsx';
import layout from '#ui/stack.module.css';

/** As many as fit between the field and a phone's keyboard, and a few more. */
const mostShown = 6;

function useBanks() {
  const { api } = useSignedIn();
  const [banks, setBanks] = useState<Banks | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const load = useCallback(async () => {
    setIsLoading(true);
    setFault(null);
    try {
      setBanks(await api.listBanks());
    } catch (error) {
      const said = { needsNetwork: words.needsNetwork, otherwise: words.form.loadFailed };
      setFault(sentenceOfFailure(failureOf(error), said));
    } finally {
      setIsLoading(false);
    }
  }, [api]);
  useEffect(() => void load(), [load]);
  return { banks, fault, isLoading, load };
}

interface BankFieldProps {
  /** Null: none yet. */
  chosen: Bank | null;
  onChoose(bank: Bank | null): void;
  error: string | undefined;
}

/** A bank of hundreds: by a part of its name, then by a tap. */
export function BankField({ chosen, onChoose, error }: BankFieldProps) {
  const { banks, fault, isLoading, load } = useBanks();
  const [query, setQuery] = useState('');
  if (chosen) {
    return (
      <div className={layout.spread}>
        <div>
          <p className={layout.note}>{words.form.bank}</p>
          <strong dir="auto">{chosen.name}</strong>
        </div>
        <span className={css.stale}>
          <Button tone="plain" aria-label={words.form.otherBank} onClick={() => onChoose(null)}>
            {words.account.change}
          </Button>
        </span>
      </div>
    );
  }
  if (fault !== null) {
    return (
      <div className={layout.stack} role="alert">
        <p>{fault}</p>
        <Button tone="quiet" isBusy={isLoading} onClick={() => void load()}>
          {isLoading ? words.form.trying : words.form.tryAgain}
        </Button>
      </div>
    );
  }
  if (!banks) return <Skeletons label={words.form.loading} count={1} />;
  const found = searchBanks(banks, query);
  const chooseFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (query !== '' && found[0]) onChoose(found[0]);
  };
  return (
    <div className={layout.tight}>
      <TextField
        label={words.form.bank}
        name="bank"
        value={query}
        onChange={setQuery}
        onKeyDown={chooseFirst}
        hint={words.form.bankHint}
        error={error}
        autoComplete="off"
        autoCapitalize="words"
        spellCheck={false}
        enterKeyHint="search"
      />
      <ul className={layout.tight} aria-label={words.form.banks}>
        {found.slice(0, mostShown).map((bank) => (
          <li key={bank.code}>
            <Button tone="quiet" isWide onClick={() => onChoose(bank)}>
              {bank.name}
            </Button>
          </li>
        ))}
      </ul>
      <p className={layout.note} role="status">
        {found.length === 0 ? words.form.noBank : found.length > mostShown && words.form.more}
      </p>
    </div>
  );
}
