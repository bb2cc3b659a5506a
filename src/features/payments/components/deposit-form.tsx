import { useSetAtom } from 'jotai';
import { useEffect, useRef, useState } from 'react';
import { failureOf } from '#api/failure.ts';
import { minimumDepositNaira } from '#contract/payment.ts';
import { newId } from '#data/new-id.ts';
import { useSignedIn } from '#data/services.ts';
import { useMirroredUser } from '#data/use-users.ts';
import { checkDeposit, depositStepNaira } from '#domain/deposit.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import css from '#features/payments/payments.module.css';
import { payments as words } from '#messages/en/payments.ts';
import { paymentAtom, rememberPendingPayment } from '#state/payment.ts';
import { Button } from '#ui/button.tsx';
import { Form, Submit, TextField } from '#ui/field.tsx';
import { ActionBar } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { useForm } from '#ui/use-form.ts';

const quickAmounts = [1000, 2000, 5000, 10_000] as const;

/** The provider's URL is untrusted. */
function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

interface DepositFormProps {
  initialAmount: string;
  packageId: string;
  takesFocus: boolean;
}

export function DepositForm({ initialAmount, packageId, takesFocus }: DepositFormProps) {
  const { api, userInfo } = useSignedIn();
  // The server's row: an unsent change of the email does not count yet.
  const self = useMirroredUser(userInfo.id);
  const email = self?.email ?? userInfo.email;
  const balance = self?.balance ?? null;
  const [amount, setAmount] = useState(initialAmount);
  const [reason, setReason] = useState<string>();
  const dispatch = useSetAtom(paymentAtom);
  const place = useRef<HTMLDivElement>(null);
  /** Key of an unanswered deposit, reused so that a retry does not start a second one. */
  const intent = useRef({ about: '', key: '' });

  useEffect(() => {
    if (takesFocus) place.current?.querySelector<HTMLElement>('[name="amount"]')?.focus();
  }, [takesFocus]);

  const isUnreadable = () =>
    place.current?.querySelector<HTMLInputElement>('[name="amount"]')?.validity.badInput ?? false;

  const keyFor = (about: string) => {
    if (intent.current.about !== about) intent.current = { about, key: newId() };
    return intent.current.key;
  };

  const begin = async (naira: number) => {
    const body = { email, amount: naira };
    const key = keyFor(`${email} ${naira}`);
    const { authorization_url: paymentUrl, reference } = await api.initiatePayment(body, key);
    // The user left the screen: do not open the payment over another one.
    if (place.current === null) return;
    if (!isWebAddress(paymentUrl)) throw new Error('The payment provider sent no valid URL.');
    rememberPendingPayment({ reference, paymentUrl, amount: naira, packageId });
    dispatch({ kind: 'redirected', paymentUrl, reference });
    window.location.assign(paymentUrl);
  };

  const form = useForm({
    values: { amount },
    onChange: (next) => setAmount(next.amount),
    submit: async () => {
      setReason(undefined);
      // A number field reports '' for unreadable input, which differs from empty.
      const checked = checkDeposit(isUnreadable() ? 'unreadable' : amount);
      if (!checked.isValid) return checked;
      dispatch({ kind: 'initiated', amount: checked.value });
      try {
        await begin(checked.value);
        return null;
      } catch (error) {
        const failure = failureOf(error);
        // Once answered, the next submit is a new intent.
        if (failure?.kind === 'http') intent.current = { about: '', key: '' };
        dispatch({ kind: 'failed', error: words.deposit.failure, at: new Date().toISOString() });
        setReason(sentenceOfFailure(failure, { needsNetwork: words.needsNetwork, otherwise: '' }));
        return { fields: failure?.fields, message: words.deposit.failure };
      }
    },
  });

  return (
    <div ref={place}>
      <Form
        {...form.props}
        label={words.deposit.label}
        actions={
          <>
            {reason && <p className={layout.soft}>{reason}</p>}
            <p className={layout.soft}>{words.deposit.leaves}</p>
            <ActionBar>
              <Submit words={words.deposit} tone="accent" isBusy={form.isBusy} />
            </ActionBar>
          </>
        }
      >
        <div className={layout.stack}>
          {balance !== null && (
            <p className={layout.soft}>
              {words.deposit.balance(formatNaira(nairaToKobo(balance)))}
            </p>
          )}
          <div className={css.sum}>
            <TextField
              label={words.deposit.amount}
              type="number"
              inputMode="decimal"
              min={minimumDepositNaira}
              step={depositStepNaira}
              autoComplete="off"
              required
              isAlert
              data-naira
              hint={words.deposit.amountHint}
              {...form.field('amount')}
            />
          </div>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame of its own around them. */}
          <div className={css.quick} role="group" aria-label={words.deposit.quick}>
            {quickAmounts.map((naira) => (
              <Button
                key={naira}
                tone="quiet"
                onClick={() => {
                  setAmount(String(naira));
                  form.complain({});
                }}
              >
                {formatNaira(nairaToKobo(naira))}
              </Button>
            ))}
          </div>
        </div>
        <TextField
          label={words.deposit.email}
          name="email"
          type="email"
          autoComplete="email"
          readOnly
          value={email}
          onChange={() => undefined}
          aside={words.deposit.emailHint}
        />
      </Form>
    </div>
  );
}
