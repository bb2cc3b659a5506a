/**
 * The session of this device. The access token is held only in this file's closure. Databases and
 * engine load in a separate chunk: the sign-in form does not wait for them.
 */
import { atom, type createStore } from 'jotai';
import { ApiFailure, isDenied } from '#api/failure.ts';
import { createLazyApi } from '#api/lazy-api.ts';
import { onWakeUp, startTriggers } from '#app/background/sync-triggers.ts';
import { isChunkError } from '#app/pwa/chunk-errors.ts';
import type { LoginBody, UserInfo } from '#contract/auth.ts';
import type { SessionService, SignedIn } from '#data/services.ts';
import type { StorageFault } from '#db/storage-fault.ts';
import { readUserIds } from '#db/user-ids.ts';
import { isUnanswered, isUnclear, type Verdict, type Wipe, wipeAfter } from '#domain/outcome.ts';
import { storedFlag } from '#state/safe-storage.ts';
import { type Session, sessionAtom, sessionHint } from '#state/session.ts';
import { createSessionChannel, type SessionWord } from '#sync/coordination/channel.ts';
import { createLocks } from '#sync/coordination/locks.ts';
import { afterFirstScreen } from '#ui/first-screen.ts';
import { createPendingLogout } from './pending-logout.ts';

type Store = ReturnType<typeof createStore>;

/** The signed-in user's services, or null. Set together with `sessionAtom`. */
export const signedInAtom = atom<SignedIn | null>(null);

/** The current storage fault, shown before a sign-in. */
export const storageFaultAtom = atom<StorageFault | null>(null);

const leaving = storedFlag('sessionLeaving');

/** The user of a fresh access token; rejects as `asking` does. */
async function userInfoOf(asking: Promise<string>): Promise<UserInfo> {
  const token = await asking;
  const { readUserInfo } = await import('#domain/token.ts');
  return readUserInfo(token);
}

export interface AppSession extends SessionService {
  /** Resolves once the engine is idle; immediately without an engine. */
  untilAtRest(): Promise<void>;
}

export function createSession(store: Store): AppSession {
  let token: string | null = null;
  let isTrusted = false;
  let isSigningOut = false;
  /** The user whose session the server refused to renew, if any. */
  let expiredUserId: string | null = null;
  /** This device's user while the server checks their session; null: no check in progress. */
  let resumedUserId: string | null = null;
  const channel = createSessionChannel();

  async function loadKeeper() {
    const keeper = await import('#app/inside.ts');
    keeper.onStorageFault((fault) => store.set(storageFaultAtom, fault));
    return keeper;
  }

  const locks = createLocks();
  const { proxy: api, bring: prepare } = createLazyApi({
    tokenStore: {
      get: () => token,
      set: (next) => {
        token = next;
      },
    },
    locks,
    onOutdated: () => void import('#app/pwa/service-worker.ts').then((it) => it.lookForUpdate()),
    onSessionEnded: (verdict) => void expire(verdict),
    expectedUserId: () => signedInId() ?? resumedUserId,
    isPlain: async () => {
      const userId = signedInId() ?? resumedUserId;
      return userId !== null && (await loadKeeper()).isPlainServerOf(userId);
    },
  });

  const pendingLogout = createPendingLogout({
    locks,
    tell: logout,
    isSignedIn: sessionHint.isSet,
  });

  const signedInId = () => store.get(signedInAtom)?.userInfo.id ?? null;
  const show = (session: Session) => store.set(sessionAtom, session);

  async function open(userInfo: UserInfo): Promise<SignedIn> {
    const keeper = await loadKeeper();
    expiredUserId = null;
    const signedIn = keeper.openUser(userInfo, api);
    store.set(signedInAtom, signedIn);
    show({ kind: 'signedIn', userInfo });
    await keeper.readFirstRows(signedIn);
    return signedIn;
  }

  /** Unmounts the screens first, so that no live query reads a closing database. */
  async function close(next: Session, wipe: Wipe): Promise<void> {
    const signedIn = store.get(signedInAtom);
    token = null;
    show(next);
    store.set(signedInAtom, null);
    if (wipe === 'nothing' && !signedIn) return;
    const keeper = await loadKeeper();
    if (wipe === 'all') store.set(keeper.forgetTypedAtom);
    if (signedIn) await keeper.closeUser(signedIn, wipe);
  }

  /** Notes the server's end of this user's session; returns the screen to show and the wipe due. */
  async function verdictOf(userId: string, verdict: Verdict) {
    const keeper = await loadKeeper();
    const wipe = wipeAfter(verdict, isTrusted);
    const { unsent, pictures } = await keeper.countUnsent(userId, store.get(signedInAtom)?.db);
    const deleted = wipe === 'all' ? pictures + store.set(keeper.countFormsAtom) : 0;
    await keeper.noteVerdict(userId, verdict);
    const next: Session = { kind: 'expired', message: verdict.message, unsent, deleted };
    return { next, wipe };
  }

  /** Handles a refused refresh. */
  async function expire(verdict: Verdict): Promise<void> {
    // A log-out in progress may have ended the session on the server; it completes on its own.
    if (isSigningOut) return;
    const userId = signedInId();
    // The cookie belongs to another user now: this tab has nothing to expire.
    if (userId === null || !(await isHolder(userId))) return endReplacedSession(userId);
    if (signedInId() !== userId) return;
    if (isUnclear(verdict)) return close({ kind: 'signedOut', isByChoice: false }, 'nothing');
    expiredUserId = userId;
    const { next, wipe } = await verdictOf(userId, verdict);
    if (signedInId() === userId) await close(next, wipe);
  }

  /** True also if the device's storage fails: then this tab's own state counts. */
  async function isHolder(userId: string): Promise<boolean> {
    const keeper = await loadKeeper();
    try {
      const held = await keeper.heldSession();
      return held === null ? sessionHint.isSet() : held.userId === userId;
    } catch {
      return true;
    }
  }

  /** Another tab logged this user out or another one in: closes this user's session here. */
  async function endReplacedSession(userId: string | null): Promise<void> {
    // An expired session: the server's refusal reached this tab first.
    if (isSigningOut || userId === null || userId !== (signedInId() ?? expiredUserId)) return;
    expiredUserId = null;
    await close({ kind: 'signedOut', isByChoice: true }, 'all');
  }

  async function hear({ kind, userId }: SessionWord): Promise<void> {
    if (kind === 'ended') return endReplacedSession(userId);
    if (signedInId() !== userId) await endReplacedSession(signedInId());
    // The user signed in again in another tab: resumes the expired session here.
    if (expiredUserId === userId) await resumeOrAsk();
  }

  /** A frozen tab misses broadcasts, so it checks the device's session. */
  async function checkHolder(): Promise<void> {
    const userId = signedInId();
    if (userId !== null && !(await isHolder(userId))) await endReplacedSession(userId);
  }

  async function forgetDevice(wipe: Wipe): Promise<void> {
    leaving.set();
    sessionHint.clear();
    await (await loadKeeper()).forgetSession(wipe);
  }

  /** Applies changes in the fresh token: name, roles. */
  async function adopt(userInfo: UserInfo): Promise<void> {
    const signedIn = store.get(signedInAtom);
    if (!signedIn || signedIn.userInfo.id !== userInfo.id) return;
    const keeper = await loadKeeper();
    await keeper.keepSession({ userId: userInfo.id, userInfo, isTrusted });
    if (store.get(signedInAtom) !== signedIn) return;
    if (JSON.stringify(signedIn.userInfo) === JSON.stringify(userInfo)) return;
    store.set(signedInAtom, { ...signedIn, userInfo });
    show({ kind: 'signedIn', userInfo });
  }

  /** A trusted device is open already; without an answer the engine keeps retrying. */
  async function refreshInBackground(signedIn: SignedIn): Promise<void> {
    await afterFirstScreen();
    try {
      await adopt(await userInfoOf(api.refresh()));
    } catch (error) {
      if (isDenied(error)) return expire(error.failure);
    }
    signedIn.engine.request('start');
  }

  async function resumeOrAsk(): Promise<void> {
    try {
      await resume();
    } catch (error) {
      if (isChunkError(error)) return show({ kind: 'failed', error });
      // Local storage failed: the sign-in form works without it.
      show({ kind: 'signedOut', isByChoice: false });
    }
  }

  async function resume(): Promise<void> {
    if (!sessionHint.isSet()) {
      show({ kind: 'signedOut', isByChoice: false });
      // The keeper completes an interrupted log-out on any call.
      if (leaving.isSet()) await (await loadKeeper()).heldSession();
      return leaving.clear();
    }
    const keeper = await loadKeeper();
    const held = await keeper.heldSession();
    const isInMemory = keeper.isInMemory();
    // Without a database the browser may still hold the cookie, and the draft names its user.
    const userId = held?.userId ?? (isInMemory ? keeper.readDraftOwner() : null);
    if (userId === null) return show({ kind: 'signedOut', isByChoice: false });
    isTrusted = held?.isTrusted ?? false;
    if (held?.isTrusted && !held.verdict) {
      void refreshInBackground(await open(held.userInfo));
      return;
    }
    try {
      resumedUserId = userId;
      const userInfo = await userInfoOf(api.refresh());
      if (!held || held.verdict) await take(userInfo);
      const signedIn = await open(userInfo);
      signedIn.engine.request('start');
    } catch (error) {
      const verdict = isDenied(error) ? error.failure : held?.verdict;
      if (!verdict) {
        const unsent = held ? (await keeper.countUnsent(userId)).unsent : 0;
        return show({ kind: 'offlineLocked', unsent, isInMemory });
      }
      if (!held || isUnclear(verdict)) return show({ kind: 'signedOut', isByChoice: false });
      const { next, wipe } = await verdictOf(userId, verdict);
      expiredUserId = userId;
      if (wipe === 'all') store.set(keeper.forgetTypedAtom);
      await keeper.wipeDataOf(userId, wipe);
      show(next);
    } finally {
      resumedUserId = null;
    }
  }

  /** Makes this user the device's user; of the previous one only unsent changes are kept. */
  async function take(userInfo: UserInfo): Promise<void> {
    const keeper = await loadKeeper();
    const former = await keeper.heldSession().catch(() => null);
    if (former && former.userId !== userInfo.id) await keeper.wipeDataOf(former.userId, 'all');
    store.set(keeper.draftOwnerAtom, userInfo.id);
    await keeper.rememberSession({ userId: userInfo.id, userInfo, isTrusted });
    sessionHint.set();
  }

  async function signIn(body: LoginBody): Promise<void> {
    const userInfo = await pendingLogout.before(async () => {
      const user = await userInfoOf(api.login(body));
      isTrusted = body.trustDevice === true;
      await take(user);
      return user;
    });
    channel.broadcast({ kind: 'began', userId: userInfo.id });
    const signedIn = await open(userInfo);
    signedIn.engine.request('start');
    // Otherwise the browser may evict the outbox when storage runs low.
    void navigator.storage?.persist?.();
  }

  /** False: no answer, or the server could not tell which session is meant. */
  async function logout(): Promise<boolean> {
    try {
      await api.logout();
    } catch (error) {
      if (error instanceof ApiFailure && isUnanswered(error.failure)) return false;
      if (isDenied(error) && isUnclear(error.failure)) return false;
      if (!isDenied(error)) throw error;
    }
    return true;
  }

  async function signOut(): Promise<boolean> {
    const userId = signedInId();
    // The refresh cookie belongs to another user: logging out would end their session.
    if (userId !== null && !(await isHolder(userId))) {
      await endReplacedSession(userId);
      return true;
    }
    isSigningOut = true;
    try {
      const isTold = await logout();
      const forget = () => forgetDevice('all');
      await (isTold ? forget() : pendingLogout.begin(forget));
      // Before the wipe, which may fail: the other tabs must sign out in any case.
      if (userId !== null) channel.broadcast({ kind: 'ended', userId });
      await close({ kind: 'signedOut', isByChoice: true }, 'all');
      leaving.clear();
      return isTold;
    } finally {
      isSigningOut = false;
    }
  }

  function untilAtRest(): Promise<void> {
    const engine = store.get(signedInAtom)?.engine;
    return new Promise((resolve) => {
      if (!engine || engine.status().phase === 'idle') return resolve();
      const stop = engine.subscribe((event) => {
        if (event.kind !== 'status' || event.status.phase !== 'idle') return;
        stop();
        resolve();
      });
    });
  }

  channel.listen((word) => void hear(word));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void checkHolder();
  });
  onWakeUp(() => void checkHolder());
  startTriggers({ request: () => void pendingLogout.settle() });
  void pendingLogout.settle();

  return {
    signUp: async (body) => {
      await api.signUp(body);
    },
    prepare: () => void Promise.allSettled([prepare(), loadKeeper()]),
    signIn,
    signOut,
    resume: resumeOrAsk,
    untilAtRest,
    links: api,
    countWaiting: async () => {
      const userIds = await readUserIds().catch(() => []);
      if (userIds.length === 0) return 0;
      return (await loadKeeper()).countWaiting(userIds, store.get(signedInAtom)?.db);
    },
    leaveExpired: async () => {
      const keeper = await loadKeeper();
      const held = await keeper.heldSession();
      if (held && held.userId === expiredUserId) {
        const wipe = held.isTrusted ? 'mirror' : 'all';
        await forgetDevice(wipe);
        await keeper.wipeDataOf(held.userId, wipe);
        leaving.clear();
      }
      expiredUserId = null;
      show({ kind: 'signedOut', isByChoice: true });
    },
  };
}
