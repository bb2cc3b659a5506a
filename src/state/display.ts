/** How the screens look on this device. Outlives the session: it is about the light, not the user. */
import { atom } from 'jotai';
import { storedFlag } from './safe-storage.ts';

const stored = storedFlag('sunMode');
const isSunMode = atom(stored.isSet());

/** The attribute that ui/tokens.css has the colours of sun mode under. */
function show(isOn: boolean): void {
  document.documentElement.toggleAttribute('data-sun', isOn);
}

export const showStoredDisplay = () => show(stored.isSet());

/** Highest contrast and larger text, for reading in direct sunlight. */
export const sunModeAtom = atom(
  (get) => get(isSunMode),
  (_, set, isOn: boolean) => {
    if (isOn) stored.set();
    else stored.clear();
    set(isSunMode, isOn);
    show(isOn);
  },
);
