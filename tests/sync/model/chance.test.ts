/** The model (model.test.ts) on a seed that is new each time, and named. */
import { describe, it } from 'vitest';
import { live } from './live.ts';

const seed = Date.now() % 1_000_000_000;

describe('whatever happens this time', () => {
  it(`each intent has one effect or is shown as refused (seed ${seed})`, async () => {
    await live(seed, 5_000);
  }, 600_000);
});
