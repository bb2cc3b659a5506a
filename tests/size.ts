/**
 * Two sizes of a test run. `npm test` takes the small one; `npm run test:long` sets TEST_LONG=1,
 * which adds the files named *.long.test.ts and *.long.spec.ts.
 */
export const isLong = process.env.TEST_LONG === '1';

/** Rounds of a random or repeated test. */
export const rounds = (usual: number, long: number): number => (isLong ? long : usual);
