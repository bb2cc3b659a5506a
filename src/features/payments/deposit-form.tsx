import { useSetAtom } from 'jotai';
import { useEffect, useRef, useState } from 'react';
import { ApiFailure } from '#api/failure.ts';
import { minimumDepositNaira } from '#contract/payment.ts';
import { checkDeposit, depositStepNaira } from '#domain/deposit.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import type { FieldMessages } from '#domain/validation.ts';
import { newId } from '#live/new-id.ts';
import { useSignedIn } from '#live/services.ts';
import { useMirroredUser } from '#live/use-users.ts';
import { paymentAtom, rememberPendingPayment } from '#state/payment.ts';
import { Button } from '#ui/button.tsx';
import { Form, TextField } from '#ui/field.tsx';
import layout from '#ui/stack.module.css';
import css from './payments.module.css';
import { words } from './words.ts';

const quickAmounts = [1000, 2000, 5000, 10_000] as const;

/** What the provider's answer says must be an address of the web, whatever came. */
function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

interface DepositFormProps {
  /** As typed before, or asked for by a link. */
  initialAmount: string;
  /** The package that the money is missing for; '' for none. */
  packageId: string;
  /** It stands where something with the focus has just gone. */
  takesFocus: boolean;
}

export function DepositForm({ initialAmount, packageId, takesFocus }: DepositFormProps) {
  const { api, userInfo } = useSignedIn();
  // The server's own word: an e-mail that is still being changed is not theirs yet.
  const email = useMirroredUser(userInfo.id)?.email ?? userInfo.email;
  const [amount, setAmount] = useState(initialAmount);
  const [errors, setErrors] = useState<FieldMessages>({});
  const [message, setMessage] = useState<string>();
  const [reason, setReason] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const tell = useSetAtom(paymentAtom);
  const isGone = useRef(false);
  /** The same for the same intent: an answer that got lost is answered again, not begun again. */
  const intent = useRef({ about: '', key: '' });

  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) place.current?.querySelector<HTMLElement>('[name="amount"]')?.focus();
  }, [takesFocus]);

  const isUnreadable = () =>
    place.current?.querySelector<HTMLInputElement>('[name="amount"]')?.validity.badInput ?? false;

  const fillIn = (naira: number) => {
    setAmount(String(naira));
    setErrors({});
  };

  const keyFor = (about: string) => {
    if (intent.current.about !== about) intent.current = { about, key: newId() };
    return intent.current.key;
  };

  const fail = (error: unknown) => {
    const failure = error instanceof ApiFailure ? error.failure : null;
    const isAnswered = failure?.kind === 'http';
    // Answered is over and done with; the next press is a new intent.
    if (isAnswered) intent.current = { about: '', key: '' };
    tell({ kind: 'failed', error: words.deposit.failure, at: new Date().toISOString() });
    setErrors(failure?.fields ?? {});
    setMessage(words.deposit.failure);
    setReason(isAnswered ? failure.message : words.needsNetwork);
    setIsBusy(false);
  };

  const begin = async (naira: number) => {
    setIsBusy(true);
    tell({ kind: 'initiated', amount: naira });
    try {
      const body = { email, amount: naira };
      const key = keyFor(`${email} ${naira}`);
      const { authorization_url: paymentUrl, reference } = await api.initiatePayment(body, key);
      // They have left this screen: nobody is taken to a payment from another one.
      if (isGone.current) return;
      if (!isWebAddress(paymentUrl)) throw new Error('The provider has no page.');
      rememberPendingPayment({ reference, paymentUrl, amount: naira, packageId });
      tell({ kind: 'redirected', paymentUrl, reference });
      window.location.assign(paymentUrl);
    } catch (error) {
      fail(error);
    }
  };

  const submit = () => {
    if (isBusy) return;
    // A number field hands on nothing of what it cannot read: that is not the same as nothing.
    const checked = checkDeposit(isUnreadable() ? 'unreadable' : amount);
    setErrors(checked.isValid ? {} : checked.fields);
    setMessage(undefined);
    setReason(undefined);
    if (checked.isValid) void begin(checked.value);
  };

  return (
    <div ref={place}>
      <Form
        label={words.deposit.label}
        onSubmit={submit}
        errors={errors}
        message={message}
        actions={
          <>
            {reason && <p className={layout.soft}>{reason}</p>}
            <Button type="submit" tone="accent" isWide isBusy={isBusy}>
              {isBusy ? words.deposit.busy : words.deposit.submit}
            </Button>
            <p className={layout.soft}>{words.deposit.leaves}</p>
          </>
        }
      >
        <TextField
          label={words.deposit.email}
          name="email"
          type="email"
          autoComplete="email"
          readOnly
          value={email}
          onChange={() => undefined}
          hint={words.deposit.emailHint}
        />
        <TextField
          label={words.deposit.amount}
          name="amount"
          type="number"
          inputMode="decimal"
          min={minimumDepositNaira}
          step={depositStepNaira}
          autoComplete="off"
          required
          value={amount}
          onChange={setAmount}
          error={errors.amount}
          isAlert
          hint={words.deposit.amountHint}
        />
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame of its own around them. */}
        <div className={css.quick} role="group" aria-label={words.deposit.quick}>
          {quickAmounts.map((naira) => (
            <Button key={naira} tone="quiet" onClick={() => fillIn(naira)}>
              {formatNaira(nairaToKobo(naira))}
            </Button>
          ))}
        </div>
      </Form>
    </div>
  );
}
