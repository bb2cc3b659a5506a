/** The fate and the duration of one request. */
import type { Failure } from '#domain/outcome.ts';
import type { Chance } from './chance.ts';

export type Sky = 'clear' | 'calm' | 'rough' | 'storm';

/** `before`: never arrived. `after`: applied, answer lost or corrupted. `late`: given up, then arrives. */
export interface Weather {
  meets: 'nothing' | 'before' | 'after' | 'late';
  failure: Failure;
  /** Turns on the way there, at the server, and back. */
  there: number;
  work: number;
  back: number;
}

const faultRate: Readonly<Record<Sky, number>> = { clear: 0, calm: 0.02, rough: 0.3, storm: 0.7 };

const fates = {
  droppedBefore: 6,
  droppedAfter: 6,
  timedOut: 2,
  timedOutAfter: 3,
  late: 3,
  truncated: 5,
  html: 3,
  status500: 2,
  status502: 2,
  status503: 2,
  status503Later: 1,
  status425: 1,
  status429: 1,
  status429Later: 2,
  status401: 1,
  gateway: 3,
} as const;

/** Answers only an intermediary gives: 4xx without the server's own error body. */
const gatewayStatuses = [400, 403, 404, 409, 410, 422] as const;

function noAnswer(kind: 'network' | 'timeout'): Failure {
  return { kind, status: 0, code: '', message: kind };
}

function malformed(status: number): Failure {
  return { kind: 'malformed', status, code: '', message: 'malformed' };
}

function bare(status: number, retryAfterMs?: number): Failure {
  const failure: Failure = { kind: 'http', status, code: '', message: `status ${status}` };
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
}

const expired: Failure = {
  kind: 'http',
  status: 401,
  code: 'session_expired',
  message: 'Your login has expired. Please log in again.',
};

function fateOf(chance: Chance, isMutation: boolean): Pick<Weather, 'meets' | 'failure'> {
  const waitMs = 1_000 * (1 + chance.whole(90));
  switch (chance.weighted(fates)) {
    case 'droppedBefore':
      return { meets: 'before', failure: noAnswer('network') };
    case 'droppedAfter':
      return { meets: 'after', failure: noAnswer('network') };
    case 'timedOut':
      return { meets: 'before', failure: noAnswer('timeout') };
    case 'timedOutAfter':
      return { meets: 'after', failure: noAnswer('timeout') };
    case 'late':
      return { meets: isMutation ? 'late' : 'before', failure: noAnswer('timeout') };
    case 'truncated':
      return { meets: 'after', failure: malformed(200) };
    case 'html':
      return { meets: 'before', failure: malformed(200) };
    case 'status500':
      return { meets: 'before', failure: bare(500) };
    case 'status502':
      return { meets: chance.isTrue(0.5) ? 'before' : 'after', failure: bare(502) };
    case 'status503':
      return { meets: 'before', failure: bare(503) };
    case 'status503Later':
      return { meets: 'before', failure: bare(503, waitMs) };
    case 'status425':
      return { meets: 'before', failure: bare(425) };
    case 'status429':
      return { meets: 'before', failure: bare(429) };
    case 'status429Later':
      return { meets: 'before', failure: bare(429, waitMs) };
    case 'status401':
      return { meets: 'before', failure: expired };
    case 'gateway':
      return {
        meets: chance.isTrue(0.5) ? 'before' : 'after',
        failure: bare(chance.pick(gatewayStatuses)),
      };
  }
}

export function weatherFor(chance: Chance, sky: Sky, isMutation: boolean): Weather {
  const way = () => (chance.isTrue(0.15) ? chance.whole(40) : chance.whole(4));
  const [there, work, back] = [way(), way(), way()];
  const fate = fateOf(chance, isMutation);
  const isFair = !chance.isTrue(faultRate[sky]);
  return { ...fate, ...(isFair ? { meets: 'nothing' as const } : {}), there, work, back };
}
