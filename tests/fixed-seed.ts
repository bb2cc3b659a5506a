/** Random tests use a fixed seed; new seeds are for `npm run soak`. */
import * as fc from 'fast-check';

export const fixedSeed = 20_261_121;

fc.configureGlobal({ seed: fixedSeed });
