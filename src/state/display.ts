/** Display settings of this device. They outlive the session: they suit the light, not the user. */
import { atom } from 'jotai';
import { storedFlag } from './safe-storage.ts';

/** Shown by index.html before the first paint. */
const stored = storedFlag('sunMode');
const isSunMode = atom(stored.isSet());

/** Highest contrast and larger text, for reading in direct sunlight. */
export const sunModeAtom = atom(
  (get) => get(isSunMode),
  (_, set, isOn: boolean) => {
    if (isOn) stored.set();
    else stored.clear();
    set(isSunMode, isOn);
    // ui/tokens.css has the colours of sun mode under it.
    document.documentElement.toggleAttribute('data-sun', isOn);
  },
);
