import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { Bank, Payouts } from '#contract/payout.ts';
import { plainDigits } from '#contract/text.ts';
import { useSignedIn } from '#data/services.ts';
import { useNow } from '#data/use-now.ts';
import { useServerCall } from '#data/use-server-call.ts';
import { type Failure, sentenceOfFailure } from '#domain/outcome.ts';
import { isSameAccount, waitBefore } from '#features/payments/payout-rules.ts';
import {
  type AccountName,
  isAccountNumber,
  useAccountName,
} from '#features/payments/use-account-name.ts';
import { payouts as words } from '#messages/en/payouts.ts';
import { Button } from '#ui/button.tsx';
import { SheetActions, SheetDialog } from '#ui/dialog.tsx';
import { Form, Submit, TextField } from '#ui/field.tsx';
import { useFocusOn } from '#ui/focus-guard.ts';
import { PasswordField } from '#ui/password-field.tsx';
import layout from '#ui/stack.module.css';
import { showSuccess } from '#ui/toast.tsx';
import { type Complaint, useForm } from '#ui/use-form.ts';
import { BankField } from './bank-field.tsx';

interface Typed {
  bank: Bank | null;
  accountNumber: string;
  password: string;
}

/** What is missing before the server is asked; null: nothing. */
function missingOf({ bank, accountNumber, password }: Typed, name: AccountName): Complaint | null {
  const number = !isAccountNumber(accountNumber)
    ? words.form.badNumber
    : name.kind === 'unknown'
      ? words.form.unknown
      : undefined;
  const fields = {
    ...(bank ? {} : { bank: words.form.chooseBank }),
    ...(number ? { accountNumber: number } : {}),
    ...(password === '' ? { password: words.form.noPassword } : {}),
  };
  if (Object.keys(fields).length > 0) return { fields };
  // Nobody saves an account whose name they have not seen.
  if (name.kind === 'failed') return { message: name.sentence };
  return name.kind === 'looking' ? { message: words.form.stillLooking } : null;
}

function complaintOf(failure: Failure | null): Complaint {
  if (failure?.code === 'wrong_password') return { fields: { password: failure.message } };
  if (failure?.code === 'account_unknown') {
    return { fields: { accountNumber: words.form.unknown } };
  }
  const said = { needsNetwork: words.needsNetwork, otherwise: words.form.failure };
  return { fields: failure?.fields, message: sentenceOfFailure(failure, said) };
}

interface BankAccountSheetProps {
  payouts: Payouts;
  /** Also after it was saved. */
  onClose(): void;
}

/** Where payouts go: the bank says whose account it is before it is saved. */
export function BankAccountSheet({ payouts, onClose }: BankAccountSheetProps) {
  const { userInfo } = useSignedIn();
  const { call } = useServerCall();
  const nowMs = useNow();
  const [values, onChange] = useState<Typed>({ bank: null, accountNumber: '', password: '' });
  const { bank, accountNumber, password } = values;
  const bankCode = bank?.code ?? '';
  const { name, again } = useAccountName(bankCode, accountNumber);
  const number = useFocusOn(bankCode !== '' && bankCode, { inside: '[name="accountNumber"]' });

  const form = useForm({
    values,
    onChange,
    submit: async () => {
      const missing = missingOf(values, name);
      if (missing) return missing;
      const body = { bankCode, accountNumber, password };
      const called = await call('bank account', body, (api, key) => api.putBankAccount(body, key));
      if (called.kind === 'failed') return complaintOf(called.failure);
      showSuccess(words.form.saved);
      onClose();
      return null;
    },
  });

  const isKnown = isSameAccount(payouts.account, bankCode, accountNumber);
  const waits = isKnown ? null : waitBefore(payouts, nowMs);
  return (
    <SheetDialog
      name="bank account"
      title={words.form[payouts.account ? 'label' : 'add']}
      closeLabel={words.close}
      onClose={onClose}
    >
      <Form
        label={words.form.label}
        {...form.props}
        actions={
          // Until then the list has the room, above a phone's keyboard.
          bank && (
            <SheetActions>
              {waits !== null && <p className={layout.note}>{words.form.waits(waits)}</p>}
              <Submit tone="accent" isWide isBusy={form.isBusy} words={words.form} />
            </SheetActions>
          )
        }
      >
        <BankField
          chosen={bank}
          error={form.errors.bank}
          onChoose={(chosen) => {
            onChange({ ...values, bank: chosen });
            form.complain({});
          }}
        />
        {bank && (
          <div className={layout.stack} ref={number}>
            <TextField
              label={words.form.number}
              inputMode="numeric"
              autoComplete="off"
              hint={words.form.numberHint}
              isAlert
              {...form.field('accountNumber')}
              onChange={(text) => {
                const digits = plainDigits(text).replace(/\D/g, '').slice(0, 10);
                onChange({ ...values, accountNumber: digits });
              }}
              error={name.kind === 'unknown' ? words.form.unknown : form.errors.accountNumber}
              isLive={name.kind === 'unknown'}
            />
            <NameOfAccount name={name} onAgain={again} />
            <input
              type="email"
              name="username"
              autoComplete="username"
              hidden
              readOnly
              value={userInfo.email}
            />
            <PasswordField
              label={words.form.password}
              hint={words.form.passwordHint}
              showLabel={words.form.showPassword}
              autoComplete="current-password"
              {...form.field('password')}
            />
          </div>
        )}
      </Form>
    </SheetDialog>
  );
}

function NameOfAccount({ name, onAgain }: { name: AccountName; onAgain(): void }) {
  return (
    <div role="status">
      {name.kind === 'looking' && <p className={layout.note}>{words.form.looking}</p>}
      {name.kind === 'found' && (
        <p className={`${layout.box} ${layout.good}`}>
          <CircleCheck aria-hidden size={24} />
          <span className={layout.tight}>
            {words.form.isYou} <bdi>{name.name}</bdi>
          </span>
        </p>
      )}
      {name.kind === 'failed' && (
        <div className={layout.tight}>
          <p>{name.sentence}</p>
          <Button tone="quiet" onClick={onAgain}>
            {words.form.tryAgain}
          </Button>
        </div>
      )}
    </div>
  );
}
