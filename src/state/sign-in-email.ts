/** The e-mail of a log-in, as its form and the screens for a forgotten password pass it on. */
import { atom } from 'jotai';
import { safeLocalStorage } from './safe-storage.ts';

/** As typed in the form; the other screens start from it, and lead back to it. */
export const signInEmailAtom = atom('');

/** A mailed link opens in a tab of its own, and names nobody. */
const linkKey = 'linkSentTo';

export const noteLinkSentTo = (email: string) => safeLocalStorage.setItem(linkKey, email);
/** The last e-mail that a link was asked for on this device; '': none. */
export const linkSentTo = () => safeLocalStorage.getItem(linkKey) ?? '';
export const forgetLinkSentTo = () => safeLocalStorage.removeItem(linkKey);
