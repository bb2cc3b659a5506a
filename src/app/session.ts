/**
 * The session: who is signed in on this device, from load to log-out (DESIGN.md section 2, 'On
 * load'; section 7). The access token lives in this file's closure and nowhere else.
 *
 * The device's and the user's databases and the engine come in a chunk of their own: somebody who
 * sees the sign-in form for the first time does not wait for them.
 */
import { atom, type createStore } from 'jotai';
import { ApiFailure, isDenied } from '#api/failure.ts';
import { createLaterApi } from '#api/later-api.ts';
import type { LoginBody, UserInfo } from '#contract/auth.ts';
import { isUnanswered } from '#domain/outcome.ts';
import type { SessionService, SignedIn } from '#live/services.ts';
import { forgetTypedAtom, typistAtom } from '#state/forget.ts';
import { localWords } from '#state/local-words.ts';
import { type Session, sessionAtom } from '#state/session.ts';
import { createSessionChannel, type SessionWord } from '#sync/session-channel.ts';
import { createLocks } from '#sync/web-locks.ts';
import { afterFirstScreen } from '#ui/first-screen.ts';
import { untilAtRest } from './at-rest.ts';
import { createDueLogOut } from './due-log-out.ts';
import { maySessionBeHeld, noteSession } from './held-session.ts';
import { bringKeeper, userInfoOf } from './later-parts.ts';
import { lookForUpdate } from './service-worker.ts';
import { storageFaultAtom } from './storage-fault.ts';
import { startTriggers } from './sync-triggers.ts';
import { onWakeUp } from './wake-up.ts';

type Store = ReturnType<typeof createStore>;

/** The services of whoever is signed in; null while nobody is. Set together with `sessionAtom`. */
export const signedInAtom = atom<SignedIn | null>(null);

const leavingKey = 'sessionLeaving';

export interface AppSession extends SessionService {
  /** From the Session Expired screen to the sign-in form. */
  leaveExpired(): Promise<void>;
  /** Resolves once the engine of whoever is signed in rests. */
  untilAtRest(): Promise<void>;
}

export function createSession(store: Store): AppSession {
  let token: string | null = null;
  let isTrusted = false;
  let isSigningOut = false;
  /** Whose session it was that the server would not renew; null: nobody's. */
  let expiredUserId: string | null = null;
  const channel = createSessionChannel();

  const loadKeeper = () => bringKeeper((fault) => store.set(storageFaultAtom, fault));

  const locks = createLocks();
  const { api, prepare } = createLaterApi({
    tokenStore: {
      get: () => token,
      set: (next) => {
        token = next;
      },
    },
    ...{ locks, onOutdated: lookForUpdate },
    onSessionEnded: (message) => void expire(message),
    expectedUserId: () => signedInId(),
  });

  const due = createDueLogOut({
    ...{ locks, tell: logout },
    isHeld: maySessionBeHeld,
  });

  const signedInId = () => store.get(signedInAtom)?.userInfo.id ?? null;
  const show = (session: Session) => store.set(sessionAtom, session);

  async function open(userInfo: UserInfo): Promise<SignedIn> {
    const keeper = await loadKeeper();
    expiredUserId = null;
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
    if (isWiped) store.set(forgetTypedAtom);
    if (!signedIn) return;
    const keeper = await loadKeeper();
    await keeper.closeUser(signedIn, isWiped);
  }

  /** Refresh was refused. The queue stays; the mirror stays on a trusted device only. */
  async function expire(message: string): Promise<void> {
    // The server may have ended it already on the way of a log-out, which then finishes by itself.
    if (isSigningOut) return;
    const userId = signedInId();
    // The cookie is somebody else's by now: then this tab has nothing to expire.
    if (userId === null || !(await isHolder(userId))) return makeWay(userId);
    if (signedInId() !== userId) return;
    expiredUserId = userId;
    const keeper = await loadKeeper();
    const db = store.get(signedInAtom)?.db;
    const unsent = db ? await keeper.countUnsent(db) : 0;
    if (signedInId() !== userId) return;
    await close({ kind: 'expired', message, unsent }, !isTrusted);
  }

  /** True also where the device cannot say: then this tab knows better. */
  async function isHolder(userId: string): Promise<boolean> {
    const keeper = await loadKeeper();
    try {
      const held = await keeper.heldSession();
      return held === null ? maySessionBeHeld() : held.userId === userId;
    } catch {
      return true;
    }
  }

  /** Another tab has logged this user out or somebody else in: nothing of theirs stays here. */
  async function makeWay(userId: string | null): Promise<void> {
    // Expired: the server had told this tab first.
    if (isSigningOut || userId === null || userId !== (signedInId() ?? expiredUserId)) return;
    expiredUserId = null;
    await close({ kind: 'signedOut', isByChoice: true }, true);
  }

  async function hear({ kind, userId }: SessionWord): Promise<void> {
    if (kind === 'ended') return makeWay(userId);
    if (signedInId() !== userId) await makeWay(signedInId());
    // Signed in again, elsewhere: what had expired here has not any more.
    if (expiredUserId === userId) await resumeOrAsk();
  }

  /** Words do not reach a tab that stands still; it looks for itself. */
  async function lookWhoHolds(): Promise<void> {
    const userId = signedInId();
    if (userId !== null && !(await isHolder(userId))) await makeWay(userId);
  }

  async function forgetDevice(): Promise<void> {
    localWords.setItem(leavingKey, 'true');
    noteSession(false);
    await (await loadKeeper()).forgetSession();
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
    await afterFirstScreen();
    try {
      await adopt(await userInfoOf(api.refresh()));
    } catch (error) {
      if (isDenied(error)) return expire(error.failure.message);
    }
    signedIn.engine.request('start');
  }

  async function resumeOrAsk(): Promise<void> {
    try {
      await resume();
    } catch {
      // The phone's own storage failed: the sign-in form works without what was kept.
      show({ kind: 'signedOut', isByChoice: false });
    }
  }

  async function resume(): Promise<void> {
    if (!maySessionBeHeld()) {
      show({ kind: 'signedOut', isByChoice: false });
      // The keeper finishes a log-out that was not lived to its end, whatever it is asked.
      if (localWords.getItem(leavingKey) !== null) await (await loadKeeper()).heldSession();
      return localWords.removeItem(leavingKey);
    }
    const keeper = await loadKeeper();
    const held = await keeper.heldSession();
    // A browser that keeps nothing has forgotten who it was, and perhaps not the cookie.
    if (!held && !keeper.isInMemory()) return show({ kind: 'signedOut', isByChoice: false });
    isTrusted = held?.isTrusted ?? false;
    if (held?.isTrusted) {
      void refreshBehind(await open(held.userInfo));
      return;
    }
    try {
      const userInfo = await userInfoOf(api.refresh());
      if (userInfo.id !== held?.userId) await take(userInfo);
      const signedIn = await open(userInfo);
      signedIn.engine.request('start');
    } catch (error) {
      const unsent = held ? await keeper.countUnsentOf(held.userId) : 0;
      if (!isDenied(error)) {
        return show({ kind: 'offlineLocked', unsent, isInMemory: keeper.isInMemory() });
      }
      if (!held) return show({ kind: 'signedOut', isByChoice: false });
      store.set(forgetTypedAtom);
      expiredUserId = held.userId;
      await keeper.wipeMirrorOf(held.userId);
      show({ kind: 'expired', message: error.failure.message, unsent });
    }
  }

  /** From now on this device is this user's; of the former one only what is unsent stays. */
  async function take(userInfo: UserInfo): Promise<void> {
    const keeper = await loadKeeper();
    const former = await keeper.heldSession().catch(() => null);
    if (former && former.userId !== userInfo.id) await keeper.wipeMirrorOf(former.userId);
    store.set(typistAtom, userInfo.id);
    await keeper.rememberSession({ userId: userInfo.id, userInfo, isTrusted });
    noteSession(true);
  }

  async function signIn(body: LoginBody): Promise<void> {
    const userInfo = await due.before(async () => {
      const user = await userInfoOf(api.login(body));
      isTrusted = body.trustDevice === true;
      await take(user);
      return user;
    });
    channel.tell({ kind: 'began', userId: userInfo.id });
    const signedIn = await open(userInfo);
    signedIn.engine.request('start');
    // Without it the browser may throw the queue away when the phone runs short of space.
    void navigator.storage?.persist?.();
  }

  /** False: nobody answered. */
  async function logout(): Promise<boolean> {
    try {
      await api.logout();
    } catch (error) {
      if (error instanceof ApiFailure && isUnanswered(error.failure)) return false;
      // A session that is over already needs no ending.
      if (!isDenied(error)) throw error;
    }
    return true;
  }

  async function signOut(): Promise<boolean> {
    const userId = signedInId();
    // The refresh cookie is somebody else's: logging out would end their session.
    if (userId !== null && !(await isHolder(userId))) {
      await makeWay(userId);
      return true;
    }
    isSigningOut = true;
    try {
      const isTold = await logout();
      await (isTold ? forgetDevice() : due.begin(forgetDevice));
      // Said before the wipe, which may fail: the other tabs must not stay signed in for that.
      if (userId !== null) channel.tell({ kind: 'ended', userId });
      await close({ kind: 'signedOut', isByChoice: true }, true);
      localWords.removeItem(leavingKey);
      return isTold;
    } finally {
      isSigningOut = false;
    }
  }

  channel.listen((word) => void hear(word));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void lookWhoHolds();
  });
  onWakeUp(() => void lookWhoHolds());
  startTriggers({ request: () => void due.settle() });
  void due.settle();

  return {
    signUp: async (body) => {
      await api.signUp(body);
    },
    prepare: () => void Promise.allSettled([prepare(), loadKeeper()]),
    signIn,
    signOut,
    resume: resumeOrAsk,
    untilAtRest: () => untilAtRest(store.get(signedInAtom)?.engine),
    leaveExpired: async () => {
      const keeper = await loadKeeper();
      const held = await keeper.heldSession();
      // What was unsent stays, and what was typed on a trusted device; the rest is pulled again.
      if (held && held.userId === expiredUserId) {
        await keeper.wipeMirrorOf(held.userId);
        await forgetDevice();
      }
      expiredUserId = null;
      show({ kind: 'signedOut', isByChoice: true });
    },
  };
}
