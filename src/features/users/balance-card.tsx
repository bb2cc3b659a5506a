import { useState } from 'react';
import { type AdjustmentForm, checkAdjustment } from '#domain/administration.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import type { User } from '#domain/user.ts';
import type { FieldMessages } from '#domain/validation.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Form, TextField } from '#ui/field.tsx';
import { Opening } from '#ui/opening.tsx';
import layout from '#ui/stack.module.css';
import { showSuccess } from '#ui/toast.tsx';
import { failureSentence, useCall } from './use-call.ts';
import css from './users.module.css';
import { words } from './words.ts';

const naira = (amount: number) => formatNaira(nairaToKobo(amount));

/** A balance in naira before an adjustment and after it, as the server answered. */
interface Adjusted {
  before: number | null;
  after: number | null;
}

/** The answer to an adjustment, until a pull has brought that or something newer. */
export function shownBalance(pulled: number | null, adjusted: Adjusted | null): number | null {
  return adjusted && pulled === adjusted.before ? adjusted.after : pulled;
}

/** What somebody has, and its correction: an entry of the ledger with its reason. */
export function BalanceCard({ user }: { user: User }) {
  const [adjusted, setAdjusted] = useState<Adjusted | null>(null);
  // For good: the balance may come back to what it was before.
  if (adjusted && user.balance !== adjusted.before) setAdjusted(null);
  const balance = shownBalance(user.balance, adjusted) ?? 0;
  return (
    <Card title={words.balance.title}>
      <p className={css.amount}>{words.available(naira(balance))}</p>
      <Opening tone="quiet" label={words.balance.open}>
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
      </Opening>
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
  const [form, setForm] = useState(empty);
  const [errors, setErrors] = useState<FieldMessages>({});
  const [message, setMessage] = useState<string>();
  const { call, isBusy } = useCall();

  const complain = (fields: FieldMessages, sentence: string | undefined) => {
    setErrors(fields);
    setMessage(sentence);
  };

  const submit = async () => {
    if (isBusy) return;
    const checked = checkAdjustment(form);
    if (!checked.isValid) return complain(checked.fields, checked.message);
    complain({}, undefined);
    const body = { ...checked.value, id: user.id };
    const called = await call(body.id, body, (api, key) => api.adjustBalance(body, key));
    if (called.kind === 'done') {
      showSuccess(words.balance.success(naira(called.user.balance ?? 0)));
      return onDone(called.user);
    }
    const { failure } = called;
    if (failure?.code === 'insufficient_funds') {
      const sentence = words.balance.tooMuch(naira(failure.missingNaira ?? 0));
      return complain({ amount: sentence }, sentence);
    }
    // A reply that was cut off looks like a network that was not there, where there seems to be one.
    const isUnknown = failure !== null && failure.kind !== 'http' && navigator.onLine;
    const sentence = failureSentence(failure, words.balance.failure);
    complain(failure?.fields ?? {}, isUnknown ? words.balance.again : sentence);
  };

  return (
    <Form
      onSubmit={() => void submit()}
      errors={errors}
      message={message}
      label={words.balance.open}
      actions={
        <div className={layout.actions}>
          <Button tone="quiet" onClick={onCancel}>
            {words.balance.cancel}
          </Button>
          <Button type="submit" isBusy={isBusy}>
            {isBusy ? words.balance.busy : words.balance.save}
          </Button>
        </div>
      }
    >
      <TextField
        label={words.balance.amount}
        name="amount"
        // Not 'decimal': the keypads of many phones have no minus there.
        inputMode="text"
        autoComplete="off"
        hint={words.balance.amountHint}
        value={form.amount}
        onChange={(amount) => setForm({ ...form, amount })}
        error={errors.amount}
      />
      <TextField
        label={words.balance.reason}
        name="reason"
        autoComplete="off"
        hint={words.balance.reasonHint}
        value={form.reason}
        onChange={(reason) => setForm({ ...form, reason })}
        error={errors.reason}
      />
    </Form>
  );
}
