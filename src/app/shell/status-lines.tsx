import { useAtom, useAtomValue } from 'jotai';
import { Clock, CloudDownload, HardDrive, MapPin, RefreshCw, WifiOff } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useSignedIn } from '#data/services.ts';
import { useActor } from '#data/use-actor.ts';
import { useLastPulledAt, useRefresh, useSyncStatus } from '#data/use-connection.ts';
import { useClockOffset, useNow } from '#data/use-now.ts';
import { useOutboxCounts } from '#data/use-outbox.ts';
import { useIsCarrying } from '#data/use-positions.ts';
import { useStorageFault } from '#data/use-storage.ts';
import { updatedAt } from '#domain/dates.ts';
import { formatCount } from '#domain/money.ts';
import { isOutdated, isUnanswered } from '#domain/outcome.ts';
import { app as words } from '#messages/en/app.ts';
import { device as deviceWords } from '#messages/en/device.ts';
import { position as positionWords } from '#messages/en/position.ts';
import { clockSaidAtom } from '#state/clock-warning.ts';
import { positionSharerAtom } from '#state/position-sharing.ts';
import { Button } from '#ui/button.tsx';
import layout from '#ui/stack.module.css';
import tabs from '#ui/tabs.module.css';
import { useIsOnline } from '#ui/use-online.ts';
import { clockFault } from './clock-fault.ts';
import css from './status-lines.module.css';

/** A first pull that finishes sooner shows no progress. */
const firstPullMs = 1_500;

function useLasting(condition: boolean, ms: number): boolean {
  const [isLasting, setIsLasting] = useState(false);
  useEffect(() => {
    setIsLasting(false);
    if (!condition) return;
    const timer = setTimeout(() => setIsLasting(true), ms);
    return () => clearTimeout(timer);
  }, [condition, ms]);
  return condition && isLasting;
}

function Loading({ children }: { children: ReactNode }) {
  return (
    <p className={`${layout.warn} ${css.line}`}>
      <CloudDownload aria-hidden size={18} />
      <span>{children}</span>
    </p>
  );
}

/** That this courier shares where they are stands there for as long as it is on. */
function PositionLine() {
  const isCarrying = useIsCarrying();
  return (
    <Link className={`${layout.good} ${css.line}`} to="/account">
      <MapPin aria-hidden size={18} />
      <span>{isCarrying ? positionWords.sharing : positionWords.notNow}</span>
      <span className="visually-hidden"> {positionWords.change}</span>
    </Link>
  );
}

function useIsSharing(): boolean {
  const { id } = useSignedIn().userInfo;
  const { role } = useActor();
  return useAtomValue(positionSharerAtom) === id && role === 'Employee';
}

/** 'Offline · updated 14:32' with a retry on press, or the progress of the first pull. */
export function ConnectionLine() {
  // `navigator.onLine` is a hint for this line; it never gates the engine.
  const isOnline = useIsOnline();
  const { lastFailure, progress, phase, isPaused } = useSyncStatus();
  const lastPulledAt = useLastPulledAt();
  const { isBusy, refresh } = useRefresh(() => undefined);
  const isBroken = lastFailure?.kind === 'malformed' || (lastFailure?.status ?? 0) >= 500;
  const isUnreached = isUnanswered(lastFailure) || isBroken;
  const mustUpdate = isOutdated(lastFailure);
  const isShown = !isOnline || isUnreached || isPaused || mustUpdate;
  const isFirst = useLasting(lastPulledAt === null && phase !== 'idle', firstPullMs);
  const notAnswered = isPaused && !isUnreached ? words.notAccepted : words.unreachable;
  const whatOnline = mustUpdate ? words.update.needed : notAnswered;
  const what = isOnline ? whatOnline : words.offline;
  const nowMs = useNow();
  const since = lastPulledAt
    ? words.updated(updatedAt(lastPulledAt, new Date(nowMs)))
    : words.neverUpdated;
  const isSharing = useIsSharing();
  return (
    <div role="status">
      {!isShown && progress !== null && <Loading>{words.progress(formatCount(progress))}</Loading>}
      {!isShown && progress === null && isFirst && <Loading>{words.firstPull}</Loading>}
      {isShown && (
        <button
          type="button"
          className={`${layout.warn} ${css.line}`}
          aria-disabled={isBusy || undefined}
          onClick={() => !isBusy && refresh()}
        >
          <WifiOff aria-hidden size={18} />
          <span>{isBusy ? words.trying : `${what} · ${since}`}</span>
          <span className="visually-hidden"> {words.tryAgain}</span>
          <RefreshCw aria-hidden size={16} />
        </button>
      )}
      {isSharing && !isShown && progress === null && !isFirst && <PositionLine />}
    </div>
  );
}

/** A phone returning from the background reopens its storage within this time. */
const reopenGraceMs = 1_000;

/** Part of the layout, not an overlay: a storage fault may last as long as the app is open. */
function StorageLine() {
  const fault = useStorageFault();
  const isLost = useLasting(fault === 'lost', reopenGraceMs);
  const isShown =
    fault !== null && fault !== 'blocked' && fault !== 'newer' && (fault !== 'lost' || isLost);
  return (
    <div role="status">
      {isShown && (
        <div className={`${layout.box} ${layout.warn} ${css.storage}`}>
          <HardDrive aria-hidden size={20} />
          <p>{deviceWords.storage[fault]}</p>
          {fault === 'outdated' && (
            <Button onClick={() => window.location.reload()}>{deviceWords.storage.reload}</Button>
          )}
        </div>
      )}
    </div>
  );
}

/** Appears once for each amount, until the person closes it. */
function ClockLine() {
  const fault = clockFault(useClockOffset());
  const text = fault ? deviceWords.clock[fault.is](fault.amount) : '';
  const [said, setSaid] = useAtom(clockSaidAtom);
  // Set right in the meantime: the next time is news again.
  useEffect(() => {
    if (text === '') setSaid('');
  }, [text, setSaid]);
  return (
    <div role="status">
      {text !== said && text !== '' && (
        <div className={`${layout.box} ${layout.warn} ${css.storage}`}>
          <Clock aria-hidden size={20} />
          <p>{text}</p>
          <Button tone="quiet" onClick={() => setSaid(text)}>
            {deviceWords.clock.hide}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Warnings about the phone, part of the layout above every screen. */
export function PhoneLines() {
  return (
    <>
      <StorageLine />
      <ClockLine />
    </>
  );
}

export function PendingCount() {
  const counts = useOutboxCounts();
  const total = counts.waiting + counts.attention;
  if (total === 0) return null;
  return (
    <span className={`${layout.count} ${tabs.count}`} data-urgent={counts.attention > 0}>
      <span aria-hidden>{total}</span>
      <span className="visually-hidden"> {words.tabs.undone(counts)}</span>
    </span>
  );
}
