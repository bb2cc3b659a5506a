import { useAtom, useSetAtom } from 'jotai';
import { CircleCheck } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import type { VerifiedPayment } from '#contract/payment.ts';
import { useSignedIn } from '#data/services.ts';
import { serverNowIso } from '#data/use-now.ts';
import { checkDeposit } from '#domain/deposit.ts';
import { nairaToKobo } from '#domain/money.ts';
import { DepositForm } from '#features/payments/components/deposit-form.tsx';
import { VerifyCard } from '#features/payments/components/verify-card.tsx';
import css from '#features/payments/payments.module.css';
import { hasReturnedFor, returnFromProvider } from '#features/payments/provider-page.ts';
import { startVerifier, type Verification, type Verifier } from '#features/payments/verifier.ts';
import { payments as words } from '#messages/en/payments.ts';
import {
  dueCountAtom,
  forgetPendingPayment,
  type PendingPayment,
  paymentAtom,
  readPendingPayment,
  rememberDue,
  rememberSettled,
  wasSettledBefore,
} from '#state/payment.ts';
import { BackButton } from '#ui/back-button.tsx';
import { buttonClass } from '#ui/button.tsx';
import { Notice } from '#ui/card.tsx';
import { useFocusOn } from '#ui/focus-guard.ts';
import { Screen } from '#ui/screen.tsx';
import { showError, showInfo, showSuccess } from '#ui/toast.tsx';

const successDelayMs = 1500;
/** Long enough to read after returning from the provider's page. */
const successToastMs = 4000;

interface Settled {
  kobo: number;
  packageId: string;
  wasBefore: boolean;
}

function amountOf(query: URLSearchParams): string {
  const asked = query.get('amount') ?? '';
  return checkDeposit(asked).isValid ? asked : '';
}

/** History state of a deposit opened from a package: it starts immediately and pays this price. */
interface Arrival {
  payKobo: number;
  isBegun?: boolean;
}

export function DepositScreen() {
  const [query] = useSearchParams();
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const arrival = typeof state?.payKobo === 'number' ? (state as Arrival) : null;
  const [pending, setPending] = useState(() => readPendingPayment(query.get('reference')));
  useEffect(() => returnFromProvider(query.get('reference')), [query]);
  const reference = pending?.reference;
  // In the address, where the provider put it: signing in again clears the storage.
  useEffect(() => {
    if (!reference || query.has('reference') || !hasReturnedFor(reference)) return;
    navigate(`${pathname}?reference=${encodeURIComponent(reference)}`, { replace: true, state });
  }, [reference, query, pathname, state, navigate]);
  const [settled, setSettled] = useState<Settled | null>(null);
  const [restarted, setRestarted] = useState<PendingPayment | null>(null);
  const [wasVerifying, setWasVerifying] = useState(false);
  const [wakings, setWakings] = useState(0);

  useEffect(() => {
    // After the provider's page, the back/forward cache may restore this page as it was.
    const wake = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      setPending(readPendingPayment(null));
      setWakings((count) => count + 1);
    };
    window.addEventListener('pageshow', wake);
    return () => window.removeEventListener('pageshow', wake);
  }, []);

  const end = (next: { settled?: Settled; restarted?: PendingPayment }) => {
    setSettled(next.settled ?? null);
    setRestarted(next.restarted ?? null);
    setWasVerifying(true);
    setPending(null);
  };
  // Not again when the page is reloaded.
  const begin = () =>
    navigate(pathname + search, { replace: true, state: { ...arrival, isBegun: true } });
  const amount = restarted ? String(restarted.amount ?? '') : amountOf(query);
  const packageId = restarted?.packageId ?? query.get('package') ?? '';
  return (
    <Screen title={words.deposit.title} lead={<BackButton label={words.back} to="/payment" />}>
      {pending && (
        <Verifying
          key={pending.reference}
          pending={pending}
          onSettled={(outcome) => end({ settled: outcome })}
          onRestart={() => end({ restarted: pending })}
          onDropped={() => end({})}
        />
      )}
      {!pending && settled && <SettledNotice {...settled} />}
      {!pending && (
        <DepositForm
          // The next deposit starts with a fresh form.
          key={`${wakings} ${settled?.kobo ?? ''} ${restarted?.reference ?? ''}`}
          initialAmount={settled ? '' : amount}
          packageId={settled ? '' : packageId}
          payKobo={settled ? null : (restarted?.payKobo ?? arrival?.payKobo ?? null)}
          onBegin={arrival && !arrival.isBegun && !settled && !restarted ? begin : null}
          takesFocus={wasVerifying && !settled}
        />
      )}
    </Screen>
  );
}

interface Ends {
  onPaid(data: VerifiedPayment): void;
  onUnknown(): void;
}

function useVerification(reference: string, ends: Ends) {
  const { api } = useSignedIn();
  const [verification, setVerification] = useState<Verification>('checking');
  const latest = useRef(ends);
  latest.current = ends;
  const verifier = useRef<Verifier>(undefined);

  useEffect(() => {
    setVerification('checking');
    const started = startVerifier({
      verify: () => api.verifyPayment(reference),
      isVisible: () => document.visibilityState === 'visible',
      onChange: setVerification,
      onPaid: (data) => latest.current.onPaid(data),
      onUnknown: () => latest.current.onUnknown(),
    });
    verifier.current = started;
    const stopping = new AbortController();
    const { signal } = stopping;
    document.addEventListener('visibilitychange', started.look, { signal });
    window.addEventListener('online', started.look, { signal });
    return () => {
      stopping.abort();
      started.stop();
    };
  }, [api, reference]);

  const check = useCallback(() => verifier.current?.check(), []);
  return { verification, check };
}

interface VerifyingProps {
  pending: PendingPayment;
  onSettled(settled: Settled): void;
  onRestart(): void;
  onDropped(): void;
}

function Verifying({ pending, onSettled, onRestart, onDropped }: VerifyingProps) {
  const { reference, packageId } = pending;
  const { engine } = useSignedIn();
  const [payment, dispatch] = useAtom(paymentAtom);
  const [query] = useSearchParams();
  const [hasReturned] = useState(query.get('reference') === reference || hasReturnedFor(reference));
  const navigate = useNavigate();
  const { state } = useLocation();
  const setDueCount = useSetAtom(dueCountAtom);

  useEffect(() => {
    dispatch({ kind: 'reset' });
    dispatch({ kind: 'returned', reference });
  }, [dispatch, reference]);

  const drop = () => {
    forgetPendingPayment(reference);
    dispatch({ kind: 'reset' });
    // With the reference in the address, a reload would verify it again.
    navigate('/deposit', { replace: true, state });
  };

  const { verification, check } = useVerification(reference, {
    onPaid: (data) => dispatch({ kind: 'verified', data, at: serverNowIso() }),
    onUnknown: () => {
      showError(words.verify.notYours);
      drop();
      onDropped();
    },
  });

  const title = words.verify.texts[verification].title;
  useEffect(() => {
    const at = serverNowIso();
    // Final and shown here: no further verification.
    if (verification === 'failed') forgetPendingPayment(reference);
    if (verification === 'failed' || verification === 'abandoned') {
      dispatch({ kind: 'failed', error: title, at });
    } else dispatch({ kind: 'returned', reference });
  }, [verification, title, reference, dispatch]);

  const succeed = (data: VerifiedPayment) => {
    const kobo = nairaToKobo(data.depositedAmount);
    const wasBefore = wasSettledBefore(reference);
    if (!wasBefore) {
      showSuccess(words.deposit.success(kobo), { durationMs: successToastMs });
    }
    rememberSettled(reference);
    const isDue = !wasBefore && rememberDue(pending);
    dispatch({ kind: 'succeeded' });
    forgetPendingPayment(reference);
    engine.request('pull');
    navigate('/deposit', { replace: true });
    onSettled({ kobo, packageId, wasBefore });
    if (!isDue) return;
    setDueCount((count) => count + 1);
    // The package is the previous entry, unless another tab opened this one.
    if (state) navigate(-1);
    else navigate(`/package-detail/${encodeURIComponent(packageId)}`, { replace: true });
  };
  const latest = useRef(succeed);
  latest.current = succeed;
  const { status, verificationData } = payment;
  useEffect(() => {
    if (status !== 'verified' || verificationData?.reference !== reference) return;
    const timer = setTimeout(() => latest.current(verificationData), successDelayMs);
    return () => clearTimeout(timer);
  }, [status, verificationData, reference]);

  return (
    <VerifyCard
      pending={pending}
      verification={verification}
      hasReturned={hasReturned}
      onCheck={check}
      onRestart={() => {
        drop();
        onRestart();
      }}
      onStop={() => {
        showInfo(words.verify.stopped, { durationMs: 6000 });
        drop();
        onRestart();
      }}
      onLeave={() => {
        forgetPendingPayment(reference);
        dispatch({ kind: 'reset' });
        navigate('/payment', { replace: true, state: { paymentStatus: 'failed' } });
      }}
    />
  );
}

function SettledNotice({ kobo, packageId, wasBefore }: Settled) {
  const place = useFocusOn(true);
  return (
    <div ref={place} tabIndex={-1} className={css.landing}>
      <Notice
        icon={<CircleCheck aria-hidden size={40} />}
        title={wasBefore ? words.deposit.addedBefore(kobo) : words.deposit.added(kobo)}
      >
        {packageId !== '' && (
          <Link
            className={buttonClass()}
            // The wizard's path for a package not created yet.
            to={
              packageId.startsWith('/new-package')
                ? packageId
                : `/package-detail/${encodeURIComponent(packageId)}`
            }
            replace
          >
            {words.deposit.toPackage}
          </Link>
        )}
        <Link
          className={buttonClass('quiet')}
          to="/payment"
          replace
          state={{ paymentStatus: 'success' }}
        >
          {words.deposit.toPayment}
        </Link>
      </Notice>
    </div>
  );
}
