/**
 * The session: who is signed in on this device, from load to log-out (DESIGN.md section 2, 'On
 * load'; section 7). The access token lives in this file's closure and nowhere else.
 *
 * The device's and the user's databases and the engine come in a chunk of their own: somebody who
 * sees the sign-in form for the first time does not wait for them.
 */
import { atom, type createStore } from 'jotai';
import { createApi } from '#api/api.ts';
import { isDenied } from '#api/failure.ts';
import type { LoginBody, UserInfo } from '#contract/auth.ts';
import { readUserInfo } from '#domain/user.ts';
import type { SessionService, SignedIn } from '#live/services.ts';
import { emptyDraft, packageDraftAtom } from '#state/package-draft.ts';
import { type Session, sessionAtom } from '#state/session.ts';
import { createLocks } from '#sync/web-locks.ts';

type Store = ReturnType<typeof createStore>;

/** The services of whoever is signed in; null while nobody is. Set together with `sessionAtom`. */
export const signedInAtom = atom<SignedIn | null>(null);

/** A word in local storage that says 'there may be a session': without it no database is opened. */
const heldKey = 'sessionHeld';
const endedChannelName = 'kaya-session-ended';

const loadKeeper = () => import('./user-keeper.ts');

export interface AppSession extends SessionService {
  /** From the Session Expired screen to the sign-in form. */
  leaveExpired(): Promise<void>;
}

export function createSession(store: Store): AppSession {
  let token: string | null = null;
  let isTrusted = false;
  let isSigningOut = false;
  const channel = new BroadcastChannel(endedChannelName);

  const api = createApi({
    tokenStore: {
      get: () => token,
      set: (next) => {
        token = next;
      },
    },
    locks: createLocks(),
    onSessionEnded: (message) => void expire(message),
    expectedUserId: () => store.get(signedInAtom)?.userInfo.id ?? null,
  });

  const show = (session: Session) => store.set(sessionAtom, session);

  async function open(userInfo: UserInfo): Promise<SignedIn> {
    const keeper = await loadKeeper();
    const signedIn = keeper.openUser(userInfo, api);
    store.set(signedInAtom, signedIn);
    show({ kind: 'signedIn', userInfo });
    return signedIn;
  }

  /** Screens first, so that no live query reads from a database that is being closed. */
  async function close(next: Session, isWiped: boolean): Promise<void> {
    const signedIn = store.get(signedInAtom);
    token = null;
    show(next);
    store.set(signedInAtom, null);
    if (isWiped) store.set(packageDraftAtom, emptyDraft);
    if (!signedIn) return;
    const keeper = await loadKeeper();
    await keeper.closeUser(signedIn, isWiped);
  }

  /** Refresh was refused. The queue stays; the mirror stays on a trusted device only. */
  async function expire(message: string): Promise<void> {
    // The server may have ended it already on the way of a log-out, which then finishes by itself.
    if (isSigningOut) return;
    await close({ kind: 'expired', message }, !isTrusted);
  }

  async function forgetDevice(): Promise<void> {
    localStorage.removeItem(heldKey);
    const keeper = await loadKeeper();
    await keeper.forgetSession();
  }

  /** What the fresh token says of the user may have changed: name, roles. */
  async function adopt(userInfo: UserInfo): Promise<void> {
    const signedIn = store.get(signedInAtom);
    if (!signedIn || signedIn.userInfo.id !== userInfo.id) return;
    const keeper = await loadKeeper();
    await keeper.rememberSession({ userId: userInfo.id, userInfo, isTrusted });
    if (JSON.stringify(signedIn.userInfo) === JSON.stringify(userInfo)) return;
    store.set(signedInAtom, { ...signedIn, userInfo });
    show({ kind: 'signedIn', userInfo });
  }

  /** A trusted device is open already; without an answer the engine goes on asking by itself. */
  async function refreshBehind(signedIn: SignedIn): Promise<void> {
    try {
      await adopt(readUserInfo(await api.refresh()));
    } catch (error) {
      if (isDenied(error)) return expire(error.failure.message);
    }
    signedIn.engine.request('start');
  }

  async function resume(): Promise<void> {
    if (localStorage.getItem(heldKey) === null)
      return show({ kind: 'signedOut', isByChoice: false });
    const keeper = await loadKeeper();
    const held = await keeper.heldSession();
    if (!held) return show({ kind: 'signedOut', isByChoice: false });
    isTrusted = held.isTrusted;
    if (held.isTrusted) {
      void refreshBehind(await open(held.userInfo));
      return;
    }
    try {
      const signedIn = await open(readUserInfo(await api.refresh()));
      signedIn.engine.request('start');
    } catch (error) {
      if (!isDenied(error)) return show({ kind: 'offlineLocked' });
      store.set(packageDraftAtom, emptyDraft);
      await keeper.wipeMirrorOf(held.userId);
      show({ kind: 'expired', message: error.failure.message });
    }
  }

  async function signIn(body: LoginBody): Promise<void> {
    const userInfo = readUserInfo(await api.login(body));
    const keeper = await loadKeeper();
    isTrusted = body.trustDevice === true;
    await keeper.rememberSession({ userId: userInfo.id, userInfo, isTrusted });
    localStorage.setItem(heldKey, 'true');
    const signedIn = await open(userInfo);
    signedIn.engine.request('start');
    // Without it the browser may throw the queue away when the phone runs short of space.
    void navigator.storage?.persist?.();
  }

  async function logout(): Promise<void> {
    try {
      await api.logout();
    } catch (error) {
      // A session that is over already needs no ending.
      if (!isDenied(error)) throw error;
    }
  }

  async function signOut(): Promise<void> {
    isSigningOut = true;
    try {
      await logout();
      await forgetDevice();
      // Said before the wipe, which may fail: the other tabs must not stay signed in for that.
      channel.postMessage('ended');
      await close({ kind: 'signedOut', isByChoice: true }, true);
    } finally {
      isSigningOut = false;
    }
  }

  // Another tab logged out: this one must neither show nor pull what was wiped there.
  channel.onmessage = () => void close({ kind: 'signedOut', isByChoice: true }, true);

  return {
    signUp: async (body) => {
      await api.signUp(body);
    },
    signIn,
    signOut,
    resume: async () => {
      try {
        await resume();
      } catch {
        // The phone's own storage failed: the sign-in form works without what was kept.
        show({ kind: 'signedOut', isByChoice: false });
      }
    },
    leaveExpired: async () => {
      const keeper = await loadKeeper();
      const held = await keeper.heldSession();
      // Whoever signs in next may be somebody else; what was unsent stays, the rest is pulled again.
      store.set(packageDraftAtom, emptyDraft);
      if (held) await keeper.wipeMirrorOf(held.userId);
      await forgetDevice();
      show({ kind: 'signedOut', isByChoice: true });
    },
  };
}
