/**
 * Two sides alternate, so that both face the same load on the machine; what counts is the median of
 * each round's ratio.
 */
import { median } from '#bench/figures.mjs';
import type { Measured } from './load.ts';

interface Speed {
  perSecond: number;
  p99Ms: number;
}

export interface Compared {
  ours: Speed;
  theirs: Speed;
  ratio: number;
}

/** Many short rounds: other load on the machine then affects both sides of a round alike. */
const rounds = 15;
const roundMs = 500;
const warmUpMs = 1_000;

/** Generates load for at most `ms`. */
type Side = (ms: number) => Promise<Measured>;

const speedOf = (measured: readonly Measured[]): Speed => ({
  perSecond: median(measured.map(({ perSecond }) => perSecond)),
  p99Ms: median(measured.map(({ p99Ms }) => p99Ms)),
});

export async function compare(ours: Side, theirs: Side): Promise<Compared> {
  await ours(warmUpMs);
  await theirs(warmUpMs);
  const [mine, its]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    mine.push(await ours(roundMs));
    its.push(await theirs(roundMs));
  }
  const ratio = median(mine.map((one, round) => one.perSecond / (its[round]?.perSecond ?? 0)));
  return { ours: speedOf(mine), theirs: speedOf(its), ratio };
}
