import { useState } from 'react';
import { useServerCall } from '#data/use-server-call.ts';
import { type AdjustmentForm, checkAdjustment } from '#domain/administration.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import type { User } from '#domain/user.ts';
import { complaintOf } from '#features/users/hooks/use-patch-user.ts';
import css from '#features/users/users.module.css';
import { users as words } from '#messages/en/users.ts';
import { Card } from '#ui/card.tsx';
import { Disclosure } from '#ui/disclosure.tsx';
import { Form, SaveOrCancel, TextField } from '#ui/field.tsx';
import { showSuccess } from '#ui/toast.tsx';
import { useForm } from '#ui/use-form.ts';

const naira = (amount: number) => formatNaira(nairaToKobo(amount));

/** Naira before and after an adjustment, from the server's answer. */
interface Adjusted {
  before: number | null;
  after: number | null;
}

/** The adjusted balance until a pull brings that or a newer one. */
export function shownBalance(pulled: number | null, adjusted: Adjusted | null): number | null {
  return adjusted && pulled === adjusted.before ? adjusted.after : pulled;
}

export function BalanceCard({ user }: { user: User }) {
  const [adjusted, setAdjusted] = useState<Adjusted | null>(null);
  // Cleared for good, because the balance may return to its earlier value.
  if (adjusted && user.balance !== adjusted.before) setAdjusted(null);
  const balance = shownBalance(user.balance, adjusted) ?? 0;
  return (
    <Card title={words.balance.title}>
      <p className={css.amount}>{words.available(naira(balance))}</p>
      <Disclosure tone="quiet" label={words.balance.open}>
        {(close) => (
          <AdjustmentFields
            user={user}
            onDone={(after) => {
              setAdjusted({ before: user.balance, after: after.balance });
              close();
            }}
            onCancel={close}
          />
        )}
      </Disclosure>
    </Card>
  );
}

const empty: AdjustmentForm = { amount: '', reason: '' };

interface AdjustmentFieldsProps {
  user: User;
  onDone(after: User): void;
  onCancel(): void;
}

function AdjustmentFields({ user, onDone, onCancel }: AdjustmentFieldsProps) {
  const [values, setValues] = useState(empty);
  const { call } = useServerCall();
  const form = useForm({
    values,
    onChange: setValues,
    submit: async () => {
      const checked = checkAdjustment(values);
      if (!checked.isValid) return checked;
      const body = { ...checked.value, id: user.id };
      const called = await call(body.id, body, (api, key) => api.adjustBalance(body, key));
      if (called.kind === 'done') {
        showSuccess(words.balance.success(naira(called.answer.balance ?? 0)));
        onDone(called.answer);
        return null;
      }
      const { failure } = called;
      if (failure?.code === 'insufficient_funds') {
        const message = words.balance.tooMuch(naira(failure.missingNaira ?? 0));
        return { fields: { amount: message }, message };
      }
      const complaint = complaintOf(failure, words.balance.failure);
      // A cut-off response looks like a network failure, but the browser reports being online.
      const isUnknown = failure !== null && failure.kind !== 'http' && navigator.onLine;
      return isUnknown ? { ...complaint, message: words.balance.again } : complaint;
    },
  });

  return (
    <Form
      {...form.props}
      label={words.balance.open}
      actions={<SaveOrCancel words={words.balance} isBusy={form.isBusy} onCancel={onCancel} />}
    >
      <TextField
        label={words.balance.amount}
        // Not 'decimal': many phone keypads then lack the minus.
        inputMode="text"
        autoComplete="off"
        hint={words.balance.amountHint}
        {...form.field('amount')}
      />
      <TextField
        label={words.balance.reason}
        autoComplete="off"
        hint={words.balance.reasonHint}
        {...form.field('reason')}
      />
    </Form>
  );
}
