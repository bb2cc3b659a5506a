/** The fate and the duration of one request. */
import type { Failure } from '#domain/outcome.ts';
import { answers, answersStatus, faults } from '#tests/fakes/fake-server.ts';
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

/** Answers only an intermediary gives: 4xx without the server's own error body. */
const gatewayStatuses = [400, 403, 404, 409, 410, 422] as const;

interface Fate {
  weight: number;
  meets: Weather['meets'] | 'either';
  failure(chance: Chance, waitMs: number): Failure;
}

const fate = (weight: number, meets: Fate['meets'], failure: Fate['failure']): Fate => ({
  weight,
  meets,
  failure,
});

const fates: readonly Fate[] = [
  fate(6, 'before', () => faults.droppedBefore.failure),
  fate(6, 'after', () => faults.droppedAfter.failure),
  fate(2, 'before', () => faults.timedOut.failure),
  fate(3, 'after', () => faults.timedOut.failure),
  fate(3, 'late', () => faults.timedOut.failure),
  fate(5, 'after', () => faults.truncated.failure),
  fate(3, 'before', () => faults.html.failure),
  fate(2, 'before', () => answersStatus(500).failure),
  fate(2, 'either', () => answersStatus(502).failure),
  fate(2, 'before', () => answersStatus(503).failure),
  fate(1, 'before', (_, waitMs) => answersStatus(503, waitMs).failure),
  fate(1, 'before', () => answersStatus(425).failure),
  fate(1, 'before', () => answersStatus(429).failure),
  fate(2, 'before', (_, waitMs) => answersStatus(429, waitMs).failure),
  fate(1, 'before', () => answers('session_expired').failure),
  fate(3, 'either', (chance) => answersStatus(chance.pick(gatewayStatuses)).failure),
];
const weights = Object.fromEntries(fates.map(({ weight }, index) => [index, weight]));

function fateOf(chance: Chance, isMutation: boolean): Pick<Weather, 'meets' | 'failure'> {
  const waitMs = 1_000 * (1 + chance.whole(90));
  const { meets, failure } = fates[Number(chance.weighted(weights))] as Fate;
  const isEarly = meets === 'either' ? chance.isTrue(0.5) : meets === 'late' && !isMutation;
  const once = meets === 'either' ? 'after' : meets;
  return { meets: isEarly ? 'before' : once, failure: failure(chance, waitMs) };
}

export function weatherFor(chance: Chance, sky: Sky, isMutation: boolean): Weather {
  const way = () => (chance.isTrue(0.15) ? chance.whole(40) : chance.whole(4));
  const [there, work, back] = [way(), way(), way()];
  const met = fateOf(chance, isMutation);
  const isFair = !chance.isTrue(faultRate[sky]);
  return { ...met, ...(isFair ? { meets: 'nothing' as const } : {}), there, work, back };
}
