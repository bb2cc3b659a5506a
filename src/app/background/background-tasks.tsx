import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { startNotifications } from '#app/pwa/notifications.ts';
import { keepPart } from '#app/pwa/service-worker.ts';
import { type SignedIn, useSignedIn } from '#data/services.ts';
import { undoWithToast } from '#data/submit-intent.ts';
import { useActor } from '#data/use-actor.ts';
import { useOwnUser } from '#data/use-users.ts';
import { systemClock } from '#db/clock.ts';
import { sayAllChanged } from '#db/resilient-database.ts';
import type { OperationName } from '#domain/operation-names.ts';
import { roleOf } from '#domain/user.ts';
import { findQrDetector } from '#features/delivery/qr-detector.ts';
import { packagePayment } from '#messages/en/package-payment.ts';
import { position as positionWords } from '#messages/en/position.ts';
import { hasAchievedAtom } from '#state/install.ts';
import { askToPayAtom, dueCountAtom, readDue, readPendingPayment } from '#state/payment.ts';
import { positionSharerAtom } from '#state/position-sharing.ts';
import { ownUserAtom } from '#state/users.ts';
import { createLocks } from '#sync/coordination/locks.ts';
import { createServerEvents } from '#sync/pull/server-events.ts';
import { importWithRetry } from '#ui/lazy-part.tsx';
import * as toasts from '#ui/toast.tsx';
import { keepHistories } from './carried-histories.ts';
import { takeEvents } from './event-buffer.ts';
import { startOperationToasts } from './operation-toasts.ts';
import { watchOutbox } from './outbox-watch.ts';
import { createSingleTab } from './single-tab.ts';
import { onWakeUp, startTriggers } from './sync-triggers.ts';

/** Successes after which the app may offer to be installed. */
const achievements: ReadonlySet<OperationName> = new Set(['createPackage', 'acceptPackage']);

/** Wakes the engine on server events while this tab is visible; returns a stop function. */
function startChangeStream({
  api,
  engine,
  userId,
}: Pick<SignedIn, 'api' | 'engine'> & { userId: string }): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const events = createServerEvents({
    api,
    locks: createLocks(),
    clock: systemClock,
    random: Math.random,
    userId,
    engine,
  });
  const check = () => events.setSeen(document.visibilityState === 'visible');
  document.addEventListener('visibilitychange', check, { signal });
  // A page entering the back/forward cache still counts as visible.
  window.addEventListener('pagehide', () => events.setSeen(false), { signal });
  window.addEventListener('pageshow', check, { signal });
  window.addEventListener('online', events.wake, { signal });
  window.addEventListener('focus', events.wake, { signal });
  check();
  return () => {
    stopping.abort();
    events.stop();
  };
}

/** While the courier has it switched on here. */
function usePositionSharing(): void {
  const { api, packages, userInfo } = useSignedIn();
  const { id } = userInfo;
  const { role } = useActor();
  const [sharer, setSharer] = useAtom(positionSharerAtom);
  const now = useRef(sharer);
  now.current = sharer;
  const isOn = role === 'Employee' && sharer === id;
  useEffect(() => {
    if (!isOn) return;
    const onDenied = () => {
      setSharer('');
      toasts.showError(positionWords.stopped);
    };
    const starting = importWithRetry(() => import('./position-sharing.ts')).then(
      ({ startPositionSharing }) => startPositionSharing({ api, packages, userId: id, onDenied }),
    );
    return () => {
      // Signing out, too, ends it, but has no right to call any more.
      const isSwitchedOff = now.current !== id;
      void starting.then((stop) => stop(isSwitchedOff));
    };
  }, [api, packages, id, isOn, setSharer]);
}

/** Pays an agreed price once the deposit arrives, on any screen. */
function usePaymentsDue(open: (path: string) => void): void {
  const { api, engine } = useSignedIn();
  const setToAsk = useSetAtom(askToPayAtom);
  const count = useAtomValue(dueCountAtom);
  const to = useRef(open);
  to.current = open;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `count` tells that one is due.
  useEffect(() => {
    const look = async () => {
      const isAwaited = (readPendingPayment(null)?.payKobo ?? null) !== null;
      if (document.visibilityState === 'hidden' || !(isAwaited || readDue())) return;
      const { payWhenDue } = await importWithRetry(
        () => import('#features/payments/pay-when-due.ts'),
      );
      const ask = (packageId: string, version: number) => {
        setToAsk({ packageId, version });
        const path = `/package-detail/${packageId}`;
        const action = { label: packagePayment.toPackage, onAct: () => to.current(path) };
        const isThere = window.location.pathname === path;
        toasts.showInfo(packagePayment.askedAgain, {
          durationMs: 8000,
          ...(!isThere && { action }),
        });
      };
      const say = toasts.showSuccess;
      await payWhenDue({ api, engine, say, ask }, window.location.pathname === '/deposit');
    };
    void look();
    const stopping = new AbortController();
    const { signal } = stopping;
    document.addEventListener('visibilitychange', look, { signal });
    window.addEventListener('pageshow', look, { signal });
    window.addEventListener('online', look, { signal });
    return () => stopping.abort();
  }, [api, engine, count, setToAsk]);
}

/** Runs beside every screen after the first; earlier events are buffered (event-buffer.ts). */
export function BackgroundTasks() {
  const { api, db, engine, packages, userInfo } = useSignedIn();
  useEffect(() => startTriggers(engine), [engine]);
  const { id, roles } = userInfo;
  const role = roleOf(roles);
  useEffect(() => {
    if (role === 'Admin') void keepPart('dispatcher-parts');
    if (role === 'Employee') void keepPart('courier-parts');
  }, [role]);
  useEffect(() => {
    void findQrDetector().then((found) => {
      if (found === null) void keepPart('qr-reader');
    });
  }, []);
  const own = useOwnUser();
  const setOwn = useSetAtom(ownUserAtom);
  useEffect(() => setOwn(own), [own, setOwn]);
  useEffect(() => () => setOwn(undefined), [setOwn]);
  useEffect(() => startChangeStream({ api, engine, userId: id }), [api, engine, id]);
  useEffect(() => keepHistories({ engine, packages, userId: id }), [engine, packages, id]);
  useEffect(() => watchOutbox({ db, packages, engine }), [db, packages, engine]);
  usePositionSharing();
  useEffect(() => onWakeUp(sayAllChanged), []);
  const navigate = useNavigate();
  const open = useRef(navigate);
  open.current = navigate;
  const achieve = useSetAtom(hasAchievedAtom);
  usePaymentsDue((path) => void open.current(path));
  useEffect(
    () => startNotifications({ api, db, userId: id, open: (path) => void open.current(path) }),
    [api, db, id],
  );
  useEffect(() => {
    const singleTab = createSingleTab(id);
    const early = takeEvents(engine);
    const stopWatching = engine.subscribe((event) => {
      if (event.kind === 'acknowledged' && achievements.has(event.operation.name)) achieve(true);
    });
    const stop = startOperationToasts({
      engine,
      singleTab,
      early,
      open: (address) => void open.current(address),
      isShown: () => window.location.pathname === '/outbox',
      undo: ({ id: stepId, targetId: packageId, subject }) =>
        void undoWithToast({ db, engine }, { id: stepId, packageId, subject }, toasts),
    });
    return () => {
      stop();
      stopWatching();
      singleTab.stop();
    };
  }, [db, engine, id, achieve]);
  return null;
}
