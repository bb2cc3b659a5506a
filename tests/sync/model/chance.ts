/** Reproducible randomness: a seed gives the same draws on every machine. */
export interface Chance {
  /** Uniform in [0, 1). */
  real(): number;
  /** A whole number from 0 to `below` - 1. */
  whole(below: number): number;
  isTrue(probability: number): boolean;
  /** One of `all`; throws if empty. */
  pick<T>(all: readonly T[]): T;
  /** One of the names, by weight. */
  weighted<N extends string>(weights: Readonly<Record<N, number>>): N;
}

/** mulberry32 (Tommy Ettinger, public domain). */
export function createChance(seed: number): Chance {
  let state = seed | 0;
  const real = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (below: number) => Math.floor(real() * below);
  return {
    real,
    whole,
    isTrue: (probability) => real() < probability,
    pick: (all) => {
      const one = all[whole(all.length)];
      if (one === undefined) throw new Error('Nothing to pick from.');
      return one;
    },
    weighted: <N extends string>(weights: Readonly<Record<N, number>>) => {
      const entries = Object.entries(weights) as [N, number][];
      let left = real() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      throw new Error('Nothing to pick from.');
    },
  };
}

/** `count` turns of the event loop: a unit of time independent of the machine's speed. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
