import type { Fault, FaultRule } from '#tests/fakes/fault-proxy.ts';
import type { Chance } from './chance.ts';

const statuses = [429, 500, 502, 503] as const;

function someFault(chance: Chance): Fault {
  const draw: (() => Fault)[] = [
    () => ({ kind: 'dropped before' }),
    () => ({ kind: 'dropped after' }),
    () => ({ kind: 'delayed', ms: 50 + Math.round(chance.next() * 1_500) }),
    () => ({ kind: 'duplicated' }),
    () => ({ kind: 'truncated' }),
    () => ({ kind: 'portal' }),
    () => {
      const status = chance.among(statuses);
      return { kind: 'status', status, ...(chance.is(0.3) ? { retryAfter: '1' } : {}) };
    },
  ];
  return chance.among(draw)();
}

/** About a third of all API calls fail; the app's own files load. */
export function randomFaults(chance: Chance): FaultRule {
  return (_, path) => {
    if (!path.startsWith('/api/') || !chance.is(0.35)) return null;
    // A stream never ends, so it is only refused or dropped.
    if (path.startsWith('/api/events'))
      return { kind: chance.is(0.5) ? 'dropped before' : 'portal' };
    return someFault(chance);
  };
}
