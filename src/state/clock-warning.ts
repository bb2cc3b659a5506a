/** The dismissed warning about the phone's clock; shown again when the difference changes. */
import { storedAtom } from './safe-storage.ts';

export const clockSaidAtom = storedAtom(
  'clockSaid',
  '',
  (stored): stored is string => typeof stored === 'string',
);
