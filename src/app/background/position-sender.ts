/**
 * Sends the courier's position to the server: after 50 m, at most every 20 s, and while they stand
 * still every 3 minutes, so that the server keeps it. An unsent position is dropped; the next
 * attempt sends the current one.
 *
 * It asks for the phone's economical position (cells and Wi-Fi, no satellites of its own): recipients
 * see it to 100 m anyway. Standing in one place costs 20 small requests an hour.
 */
import type { PositionBody } from '#contract/position.ts';
import type { Clock } from '#db/clock.ts';
import { distanceMeters } from '#domain/distance.ts';

const moveMeters = 50;
const gapMs = 20_000;
const stillMs = 3 * 60_000;
/** An older fix is not sent as the present place. */
const freshMs = 30_000;
const options: PositionOptions = { enableHighAccuracy: false, maximumAge: 10_000, timeout: 30_000 };
const permissionDenied = 1;

interface Needs {
  /** May reject. */
  put(place: PositionBody): Promise<unknown>;
  geolocation: Pick<Geolocation, 'watchPosition' | 'clearWatch' | 'getCurrentPosition'>;
  clock: Clock;
  /** The user has taken back the permission. */
  onDenied(): void;
}

export interface PositionSender {
  /** Watches and sends, or neither. */
  setActive(isActive: boolean): void;
  /** Ends it; resolves when nothing is on its way to the server. */
  stop(): Promise<void>;
}

export function createPositionSender({ put, geolocation, clock, onDenied }: Needs): PositionSender {
  let watchId: number | null = null;
  let latest: { place: PositionBody; atMs: number } | null = null;
  let sent: { place: PositionBody; atMs: number } | null = null;
  let notBeforeMs = 0;
  let failures = 0;
  let sending: Promise<void> | null = null;
  let cancelTimer = () => {};

  function wait(untilMs: number): void {
    cancelTimer();
    cancelTimer = clock.after(Math.max(0, untilMs - clock.now()), consider);
  }

  function take({ coords }: GeolocationPosition): void {
    if (watchId === null) return;
    const { latitude: lat, longitude: lng, accuracy } = coords;
    latest = { place: { lat, lng, accuracy }, atMs: clock.now() };
    consider();
  }

  function fail({ code }: Pick<GeolocationPositionError, 'code'>): void {
    if (watchId === null) return;
    if (code === permissionDenied) {
      setActive(false);
      onDenied();
    } else {
      // No fix just now; the watch goes on.
      wait(Math.max(notBeforeMs, clock.now() + stillMs));
    }
  }

  /** Within the circle of uncertainty there is no movement. */
  const hasMoved = (from: PositionBody, to: PositionBody) =>
    distanceMeters(from, to) >= Math.max(moveMeters, to.accuracy);

  /** When the next one is due: without delay after a move. */
  function dueMs(): number {
    if (sent === null) return notBeforeMs;
    const isElsewhere = latest !== null && hasMoved(sent.place, latest.place);
    return isElsewhere ? notBeforeMs : Math.max(notBeforeMs, sent.atMs + stillMs);
  }

  /** On each fix, after each sending, and when a wait is over. */
  function consider(): void {
    if (watchId === null || sending !== null) return;
    const nowMs = clock.now();
    if (nowMs < dueMs()) {
      wait(dueMs());
      return;
    }
    cancelTimer();
    if (latest && nowMs - latest.atMs < freshMs) sending = send(latest.place, nowMs);
    else geolocation.getCurrentPosition(take, fail, options);
  }

  async function send(place: PositionBody, nowMs: number): Promise<void> {
    notBeforeMs = nowMs + gapMs;
    try {
      await put(place);
      sent = { place, atMs: nowMs };
      failures = 0;
    } catch {
      failures += 1;
      notBeforeMs = nowMs + Math.min(gapMs * 2 ** failures, stillMs);
    }
    sending = null;
    consider();
  }

  function setActive(isActive: boolean): void {
    if (isActive === (watchId !== null)) return;
    if (watchId === null) {
      watchId = geolocation.watchPosition(take, fail, options);
    } else {
      geolocation.clearWatch(watchId);
      watchId = null;
      cancelTimer();
    }
  }

  return {
    setActive,
    async stop() {
      setActive(false);
      await sending;
    },
  };
}
