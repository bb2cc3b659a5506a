/** Pictures that prove deliveries: those kept on this phone, and the server's. */
import { atom, useAtom } from 'jotai';
import { useEffect, useState } from 'react';
import { countDraftProofs, readDraftProofs } from '#db/proofs.ts';
import { NotSavedError } from '#db/storage-fault.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import { useSignedIn } from './services.ts';
import { useLive } from './use-live.ts';

/** Taken for the delivery of this package and not yet used; undefined while loading. */
export function useDraftProofs(packageId: string): ProofPicture[] | undefined {
  const { db } = useSignedIn();
  return useLive(packageId, () => readDraftProofs(db, packageId));
}

/** Reads the current pictures before saving: the rendered ones may be outdated. */
export function useReadDraftProofs(packageId: string): () => Promise<ProofPicture[]> {
  const { db } = useSignedIn();
  return () => readDraftProofs(db, packageId);
}

interface Making {
  what: ProofPicture['kind'] | 'removal';
  /** False: it failed, and that has been said. */
  isMade: Promise<boolean>;
}

/** By package: they outlive the sheet that started them, and a delivery waits for them. */
const makingAtom = atom<Readonly<Record<string, readonly Making[]>>>({});
const none: readonly Making[] = [];

/** Pictures of this package that are being shrunk, stored or removed. */
export function usePicturesInMaking(packageId: string) {
  const [all, setAll] = useAtom(makingAtom);
  const making = all[packageId] ?? none;
  return {
    making,
    /** For a form that submits with them (ui/form-parts.ts). */
    finish: (): Promise<boolean> | null =>
      making.length === 0
        ? null
        : Promise.all(making.map(({ isMade }) => isMade)).then((made) => made.every(Boolean)),
    make: (what: Making['what'], work: Promise<boolean>): Promise<boolean> => {
      const set = (change: (now: readonly Making[]) => readonly Making[]) =>
        setAll((now) => ({ ...now, [packageId]: change(now[packageId] ?? none) }));
      const isMade = work
        .catch(() => false)
        .finally(() => set((now) => now.filter((one) => one !== own)));
      const own = { what, isMade };
      set((now) => [...now, own]);
      return isMade;
    },
  };
}

/** Pictures that a log-out would delete, by kind; undefined while loading. */
export function useUnsentPictures(): Awaited<ReturnType<typeof countDraftProofs>> | undefined {
  const { db } = useSignedIn();
  // An unreadable database must not prevent a log-out.
  return useLive(db.name, () => countDraftProofs(db).catch(() => ({ photo: 0, signature: 0 })));
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
