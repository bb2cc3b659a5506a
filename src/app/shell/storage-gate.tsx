import { useAtomValue } from 'jotai';
import { type ReactNode, Suspense } from 'react';
import { chunkOf } from '#app/routes/chunks.tsx';
import { storageFaultAtom } from '#app/session/session.ts';
import { sessionAtom } from '#state/session.ts';

const StorageScreen = chunkOf(() => import('#app/routes/closed-screens.tsx'))('StorageScreen');

/**
 * Shows a blocked upgrade instead of hanging. After a sign-in, faults other than that and a newer
 * version's database are left to the storage line.
 */
export function StorageGate({ children }: { children: ReactNode }) {
  const fault = useAtomValue(storageFaultAtom);
  const isInside = useAtomValue(sessionAtom).kind === 'signedIn';
  const isShown = fault === 'blocked' || fault === 'newer';
  const isShownOutside = fault === 'lost' || fault === 'full';
  if (!isShown && (isInside || !isShownOutside)) return children;
  return (
    <Suspense>
      <StorageScreen fault={fault} />
    </Suspense>
  );
}
