/** When a map is worth looking at, and when to look again: pure, so that it can be tried out. */

/** The map's own count of how its files fare. */
export interface TileHealth {
  shown: number;
  failed: number;
}

/** A view of a phone has some fifteen tiles: that none of so many came is the source's fault. */
export const tooManyFailed = 4;

/** Nothing to be seen, and nothing to be expected. */
export function isHopeless({ shown, failed }: TileHealth): boolean {
  return shown === 0 && failed >= tooManyFailed;
}

const firstPauseMs = 60_000;
const longestPauseMs = 30 * 60_000;

/** How long a source that failed `times` in a row is left alone, ms. */
export function pauseMs(times: number): number {
  return Math.min(firstPauseMs * 2 ** Math.max(0, times - 1), longestPauseMs);
}
