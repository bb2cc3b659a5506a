/** Seeded random numbers (mulberry32). */
export interface Chance {
  /** Uniform in [0, 1). */
  next(): number;
  among<T>(choices: readonly T[]): T;
  is(probability: number): boolean;
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    is: (probability) => next() < probability,
    among<T>(choices: readonly T[]): T {
      const choice = choices[Math.floor(next() * choices.length)];
      if (choice === undefined) throw new Error('Nothing to choose from.');
      return choice;
    },
  };
}
