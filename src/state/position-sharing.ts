/** Whether this device shares where its courier is. Off until they switch it on; outlives the session. */
import { storedAtom } from './safe-storage.ts';

/** The id of the courier who switched it on here, so that it is off for the next one; '': nobody. */
export const positionSharerAtom = storedAtom(
  'positionSharer',
  '',
  (stored): stored is string => typeof stored === 'string',
);
