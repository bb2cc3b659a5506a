import { useState } from 'react';
import type { BankAccount, Payouts } from '#contract/payout.ts';
import { useNow } from '#data/use-now.ts';
import { useServerCall } from '#data/use-server-call.ts';
import { formatNaira, koboToNaira, nairaToKobo } from '#domain/money.ts';
import { type Failure, isUnanswered, sentenceOfFailure } from '#domain/outcome.ts';
import { expectedArrival, payoutFee } from '#domain/payout.ts';
import css from '#features/payments/payments.module.css';
import {
  amountText,
  arrivalText,
  checkPayout,
  purseOf,
  quickAmounts,
} from '#features/payments/payout-rules.ts';
import { payouts as words } from '#messages/en/payouts.ts';
import { Button } from '#ui/button.tsx';
import { SheetActions, SheetDialog } from '#ui/dialog.tsx';
import { Form, Submit, TextField } from '#ui/field.tsx';
import layout from '#ui/stack.module.css';
import { showSuccess } from '#ui/toast.tsx';
import { type Complaint, useForm } from '#ui/use-form.ts';

/** Long enough to read amount and time. */
const toastMs = 6000;

function complaintOf(failure: Failure | null): Complaint {
  // It may have arrived; the same amount goes out under the same key.
  if (isUnanswered(failure) && navigator.onLine) return { message: words.cashOut.unknown };
  const said = { needsNetwork: words.needsNetwork, otherwise: words.cashOut.failure };
  return { fields: failure?.fields, message: sentenceOfFailure(failure, said) };
}

interface CashOutSheetProps {
  payouts: Payouts;
  account: BankAccount;
  /** Also after it was sent. */
  onClose(): void;
}

/** What to take out, what it costs and when it arrives, on one sheet. */
export function CashOutSheet({ payouts, account, onClose }: CashOutSheetProps) {
  const nowMs = useNow();
  const { call } = useServerCall();
  const purse = purseOf(payouts);
  const [amount, setAmount] = useState(amountText(purse.largestKobo));
  const arrival = arrivalText(expectedArrival(new Date(nowMs)).toISOString(), nowMs);

  const form = useForm({
    values: { amount },
    onChange: (next) => setAmount(next.amount),
    submit: async () => {
      const checked = checkPayout(amount, purse);
      if (!checked.isValid) return checked;
      const body = { amount: koboToNaira(checked.value) };
      const called = await call('payout', body, (api, key) => api.createPayout(body, key));
      if (called.kind === 'failed') return complaintOf(called.failure);
      const { expectedBy } = called.answer;
      const when = expectedBy === null ? arrival : arrivalText(expectedBy, nowMs);
      showSuccess(words.cashOut.done(formatNaira(checked.value), when), { durationMs: toastMs });
      onClose();
      return null;
    },
  });

  const checked = checkPayout(amount, purse);
  const kobo = checked.isValid ? checked.value : null;
  const feeKobo = kobo === null ? null : payoutFee(kobo, purse.tariff);
  const choose = (chosen: number) => {
    setAmount(amountText(chosen));
    form.complain({});
  };
  const chip = (chosen: number, label: string) => (
    <Button
      key={chosen}
      tone={chosen === kobo ? 'soft' : 'quiet'}
      aria-pressed={chosen === kobo}
      onClick={() => choose(chosen)}
    >
      {label}
    </Button>
  );
  const facts = [
    {
      label: words.cashOut.fee,
      text: feeKobo === null ? '–' : formatNaira(feeKobo),
    },
    {
      label: words.cashOut.leaves,
      text: kobo === null || feeKobo === null ? '–' : formatNaira(kobo + feeKobo),
    },
    { label: words.cashOut.to, text: words.list.to(account.bankName, account.accountNumberEnd) },
    { label: words.cashOut.when, text: arrival },
  ];
  return (
    <SheetDialog
      name="cash out"
      title={words.cashOut.title}
      closeLabel={words.close}
      onClose={onClose}
    >
      <Form
        label={words.cashOut.title}
        {...form.props}
        actions={
          <SheetActions>
            <Submit
              tone="accent"
              isWide
              isBusy={form.isBusy}
              words={{
                save:
                  kobo === null ? words.cashOut.save : words.cashOut.saveAmount(formatNaira(kobo)),
                busy: words.cashOut.busy,
              }}
            />
          </SheetActions>
        }
      >
        <div className={css.sum}>
          <TextField
            label={words.cashOut.amount}
            inputMode="decimal"
            autoComplete="off"
            required
            isAlert
            data-naira
            hint={words.cashOut.available(formatNaira(nairaToKobo(payouts.available)))}
            {...form.field('amount')}
          />
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame of its own around them. */}
        <div className={layout.grid} role="group" aria-label={words.cashOut.quick}>
          {chip(purse.largestKobo, words.cashOut.all(formatNaira(purse.largestKobo)))}
          {quickAmounts(purse).map((quick) => chip(quick, formatNaira(quick)))}
        </div>
        <dl className={layout.grid}>
          {facts.map(({ label, text }) => (
            <div key={label}>
              <dt className={layout.note}>{label}</dt>
              <dd className={css.what} dir="auto">
                {text}
              </dd>
            </div>
          ))}
        </dl>
      </Form>
    </SheetDialog>
  );
}
