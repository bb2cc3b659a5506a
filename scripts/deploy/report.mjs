// @ts-check
// What was checked and what was seen, as a table. The first thing that is not as it should be ends it.

/** @typedef {{ what: string, seen: string, isGood: boolean }} Row */

export function createReport() {
  /** @type {Row[]} */
  const rows = [];
  return {
    /** Notes what `look` saw; or why it failed, and throws on.
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
      return ['| what | seen | as it should be |', '| --- | --- | --- |', ...lines].join('\n');
    },
  };
}

/** Throws where the two differ; gives back what was seen.
 * @template T @param {string} what @param {T} seen @param {T} wanted @returns {T} */
export function insist(what, seen, wanted) {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${a} where ${b} should be`);
  return seen;
}

/** Asks again and again until it is so. @param {string} what @param {() => Promise<boolean>} isSo
 * @param {number} [patienceMs] */
export async function until(what, isSo, patienceMs = 15_000) {
  const end = Date.now() + patienceMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`${what}: not within ${patienceMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
