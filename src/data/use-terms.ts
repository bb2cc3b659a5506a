import { useEffect, useState } from 'react';
import { readRuntimeConfig } from '#api/runtime-config.ts';
import type { RuntimeConfig } from '#contract/runtime-config.ts';

export type Terms = Pick<RuntimeConfig, 'handover' | 'returnFeePercent' | 'support'> & {
  /** Null: not known yet. */
  hasMail: boolean | null;
};

/** This deployment's terms; offline from the service worker's cache. */
export function useTerms(): Terms {
  const [terms, setTerms] = useState<Terms>({
    handover: 'none',
    returnFeePercent: null,
    support: null,
    hasMail: null,
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
