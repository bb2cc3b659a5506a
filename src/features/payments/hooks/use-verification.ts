import { useCallback, useEffect, useRef, useState } from 'react';
import type { VerifiedPayment } from '#contract/payment.ts';
import { useSignedIn } from '#data/services.ts';
import { startVerifier, type Verification, type Verifier } from '#features/payments/verifier.ts';

interface Ends {
  onPaid(data: VerifiedPayment): void;
  onUnknown(): void;
}

export function useVerification(reference: string, ends: Ends) {
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
