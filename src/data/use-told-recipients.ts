/** Packages whose link this phone has sent to the recipient. */
import { readTold, writeTold } from '#db/told-recipients.ts';
import { useSignedIn } from './services.ts';
import { useLive } from './use-live.ts';

/** As `readTold` gives it; undefined while loading. */
export function useToldRecipients(): ReadonlySet<string> | undefined {
  const { db } = useSignedIn();
  return useLive(`${db.name}/told`, () => readTold(db));
}

/** Storage that fails only brings the reminder back. */
export function useNoteTold(): (packageId: string, isTold: boolean) => void {
  const { db } = useSignedIn();
  return (packageId, isTold) => void writeTold(db, packageId, isTold).catch(() => undefined);
}
