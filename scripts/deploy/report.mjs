// @ts-check
// Collects checks and observations in a table. The first failed check ends the run.

/** @typedef {{ what: string, seen: string, isGood: boolean }} Row */

export function createReport() {
  /** @type {Row[]} */
  const rows = [];
  return {
    /** Records the result of `look`, or its error, which is rethrown.
     * @template T @param {string} what @param {() => Promise<T> | T} look @param {(seen: T) => string} [tell]
     * @returns {Promise<T>} */
    async check(what, look, tell = (seen) => String(seen)) {
      process.stderr.write(`${what}…\n`);
      try {
        const seen = await look();
        rows.push({ what, seen: tell(seen), isGood: true });
        return seen;
      } catch (error) {
        const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
        rows.push({ what, seen: line, isGood: false });
        throw error;
      }
    },
    table() {
      const lines = rows.map(
        ({ what, seen, isGood }) => `| ${what} | ${seen} | ${isGood ? 'yes' : 'NO'} |`,
      );
      return ['| check | result | passed |', '| --- | --- | --- |', ...lines].join('\n');
    },
  };
}

/** Throws if the two differ; returns `seen`.
 * @template T @param {string} what @param {T} seen @param {T} wanted @returns {T} */
export function insist(what, seen, wanted) {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: got ${a}, expected ${b}`);
  return seen;
}

/** Polls until `isSo` resolves with true. @param {string} what @param {() => Promise<boolean>} isSo
 * @param {number} [patienceMs] */
export async function until(what, isSo, patienceMs = 15_000) {
  const end = Date.now() + patienceMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`${what}: timed out after ${patienceMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
