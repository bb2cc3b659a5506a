/** Pictures that prove deliveries: those kept on this phone, and the server's. */
import { useEffect, useState } from 'react';
import { NotSavedError } from '#db/failure.ts';
import { readDraftProofs } from '#db/proofs.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import { useSignedIn } from './services.ts';
import { useLive } from './use-live.ts';

/** Taken for the delivery of this package and not yet used; undefined while loading. */
export function useDraftProofs(packageId: string): ProofPicture[] | undefined {
  const { db } = useSignedIn();
  return useLive(packageId, () => readDraftProofs(db, packageId));
}

/** An address for `<img>`, revoked with the component; null: nothing to show yet. */
export function useObjectUrl(blob: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!blob) return setUrl(null);
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}

export type FoundPicture = { blob: Blob } | 'loading' | 'missing';

/** From this phone until the server has it, then from there. `again` renews a failed request. */
export function useProofPicture(
  packageId: string,
  proofId: string,
): { found: FoundPicture; again(): void } {
  const { db, api } = useSignedIn();
  const [found, setFound] = useState<FoundPicture>('loading');
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks again.
  useEffect(() => {
    let isGone = false;
    const look = async (): Promise<FoundPicture> => {
      const kept = await db.proofs.get(proofId).catch(() => undefined);
      if (kept) return { blob: new Blob([kept.bytes], { type: kept.type }) };
      return { blob: await api.getProof(packageId, proofId) };
    };
    setFound('loading');
    look().then(
      (picture) => isGone || setFound(picture),
      () => isGone || setFound('missing'),
    );
    return () => {
      isGone = true;
    };
  }, [db, api, packageId, proofId, tries]);
  return { found, again: () => setTries((count) => count + 1) };
}

/** Keeps a picture on this phone: only then is it taken. `full`: there is no room for it. */
export function useKeepPicture(): (picture: ProofPicture) => Promise<'kept' | 'full' | 'failed'> {
  const { engine } = useSignedIn();
  return async (picture) => {
    try {
      await engine.addProof(picture);
      return 'kept';
    } catch (error) {
      return error instanceof NotSavedError && error.fault === 'full' ? 'full' : 'failed';
    }
  };
}
