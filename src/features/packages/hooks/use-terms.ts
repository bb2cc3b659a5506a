import { useEffect, useState } from 'react';
import { readRuntimeConfig } from '#api/runtime-config.ts';
import type { RuntimeConfig } from '#contract/runtime-config.ts';

export type Terms = Pick<RuntimeConfig, 'handover' | 'returnFeePercent' | 'support'>;

/** What this deployment agrees on, without a network as the service worker has kept it. */
export function useTerms(): Terms {
  const [terms, setTerms] = useState<Terms>({
    handover: 'none',
    returnFeePercent: null,
    support: null,
  });
  useEffect(() => {
    let isGone = false;
    void readRuntimeConfig().then((config) => isGone || (config && setTerms(config)));
    return () => {
      isGone = true;
    };
  }, []);
  return terms;
}
