/** Health of the tile source, and the user's colour scheme. */
import { useMedia } from '#ui/use-media.ts';

export interface TileHealth {
  shown: number;
  failed: number;
}

/** A phone shows about fifteen tiles: if this many fail and none loads, the source has failed. */
export const tooManyFailed = 4;

export function isHopeless({ shown, failed }: TileHealth): boolean {
  return shown === 0 && failed >= tooManyFailed;
}

const firstPauseMs = 60_000;
const longestPauseMs = 30 * 60_000;

/** Pause in ms after `times` failures in a row. */
export function pauseMs(times: number): number {
  return Math.min(firstPauseMs * 2 ** Math.max(0, times - 1), longestPauseMs);
}

export const useIsDark = () => useMedia('(prefers-color-scheme: dark)');
