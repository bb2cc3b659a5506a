import { useSetAtom } from 'jotai';
import { useEffect, useRef, useState } from 'react';
import { minimumDepositNaira } from '#contract/payment.ts';
import { useSignedIn } from '#data/services.ts';
import { serverNowIso } from '#data/use-now.ts';
import { useServerCall } from '#data/use-server-call.ts';
import { useMirroredUser } from '#data/use-users.ts';
import { checkDeposit, depositStepNaira } from '#domain/deposit.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { type Failure, sentenceOfFailure } from '#domain/outcome.ts';
import css from '#features/payments/payments.module.css';
import { leaveForProvider } from '#features/payments/provider-page.ts';
import { payments as words } from '#messages/en/payments.ts';
import { paymentAtom, rememberPendingPayment } from '#state/payment.ts';
import { Button } from '#ui/button.tsx';
import { Form, Submit, TextField } from '#ui/field.tsx';
import { useFocusOn } from '#ui/focus-guard.ts';
import { ActionBar } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { type Complaint, useForm } from '#ui/use-form.ts';

const quickAmounts = [1000, 2000, 5000, 10_000] as const;

/** The provider's URL is untrusted. */
function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

interface DepositFormProps {
  initialAmount: string;
  packageId: string;
  /** The price that is paid once the money is there; null: nothing is. */
  payKobo: number | null;
  /** The amount was agreed to already; called as it goes on without the button. */
  onBegin: (() => void) | null;
  takesFocus: boolean;
}

export function DepositForm(props: DepositFormProps) {
  const { initialAmount, packageId, payKobo, onBegin, takesFocus } = props;
  const { userInfo } = useSignedIn();
  const { call } = useServerCall();
  // The server's row: an unsent change of the email does not count yet.
  const self = useMirroredUser(userInfo.id);
  const email = self?.email ?? userInfo.email;
  const balance = self?.balance ?? null;
  const [amount, setAmount] = useState(initialAmount);
  const [reason, setReason] = useState<string>();
  const dispatch = useSetAtom(paymentAtom);
  const place = useFocusOn(takesFocus, { inside: '[name="amount"]' });

  const fail = (failure: Failure | null): Complaint => {
    dispatch({ kind: 'failed', error: words.deposit.failure, at: serverNowIso() });
    setReason(sentenceOfFailure(failure, { needsNetwork: words.needsNetwork, otherwise: '' }));
    return { fields: failure?.fields, message: words.deposit.failure };
  };

  const begin = async (naira: number): Promise<Complaint | null> => {
    dispatch({ kind: 'initiated', amount: naira });
    const body = { email, amount: naira };
    const called = await call('deposit', body, (api, key) => api.initiatePayment(body, key));
    if (called.kind === 'failed') return fail(called.failure);
    const { authorization_url: paymentUrl, reference } = called.answer;
    // The user left the screen: do not open the payment over another one.
    if (place.current === null) return null;
    if (!isWebAddress(paymentUrl)) return fail(null);
    rememberPendingPayment({ reference, paymentUrl, amount: naira, packageId, payKobo });
    dispatch({ kind: 'redirected', paymentUrl, reference });
    leaveForProvider(paymentUrl, reference);
    return null;
  };

  const form = useForm({
    values: { amount },
    onChange: (next) => setAmount(next.amount),
    submit: async () => {
      setReason(undefined);
      const checked = checkDeposit(amount);
      return checked.isValid ? begin(checked.value) : checked;
    },
  });

  const hasBegun = useRef(false);
  // The e-mail is known by then.
  const isReady = self !== undefined;
  useEffect(() => {
    if (!onBegin || !isReady || hasBegun.current) return;
    hasBegun.current = true;
    onBegin();
    form.props.onSubmit();
  }, [onBegin, isReady, form]);

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
              // A number field would read '1.500' as 1.5, and a pasted '₦1,500' as nothing.
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
          <div
            className={`${layout.grid} ${css.quick}`}
            role="group"
            aria-label={words.deposit.quick}
          >
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
