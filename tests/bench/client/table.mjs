// @ts-check
import { tableOfRows } from '#tests/bench/figures.mjs';

/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {string} unit
 * @property {number} kaya
 * @property {string} [peerName]
 * @property {number} [peer] the same work by the peer
 * @property {number} [most] bar from above
 * @property {number} [least] bar from below
 * @property {number} [leastRatio] of what the peer reaches
 */

/** @param {number} value */
const short = (value) => value.toFixed(value >= 100 ? 0 : 1);

/** @param {Figure} figure */
function ratioOf({ kaya, peer }) {
  return peer === undefined ? Number.NaN : kaya / peer;
}

/** @param {Figure} figure @returns {string[]} */
function missed(figure) {
  const { kaya, most, least, leastRatio } = figure;
  return [
    ...(most !== undefined && !(kaya <= most) ? [`≤ ${most}`] : []),
    ...(least !== undefined && !(kaya >= least) ? [`≥ ${least}`] : []),
    ...(leastRatio !== undefined && !(ratioOf(figure) >= leastRatio) ? [`≥ ${leastRatio} ×`] : []),
  ];
}

/** @param {Figure} figure */
function barsOf({ most, least, leastRatio }) {
  return [
    ...(most === undefined ? [] : [`≤ ${most}`]),
    ...(least === undefined ? [] : [`≥ ${least}`]),
    ...(leastRatio === undefined ? [] : [`≥ ${leastRatio} ×`]),
  ].join(', ');
}

/** @param {readonly Figure[]} figures */
export function tableOf(figures) {
  const rows = [
    ['what', 'unit', 'Kaya', 'peer', '', 'ratio', 'bar', 'met'],
    ['---', '---', '---:', '---:', '---', '---:', '---', '---'],
    ...figures.map((figure) => {
      const { what, unit, kaya, peer, peerName = '' } = figure;
      const bars = barsOf(figure);
      const verdict = bars === '' ? '' : missed(figure).length === 0 ? 'yes' : 'no';
      const beside = peer === undefined ? ['', ''] : [short(peer), peerName];
      const ratio = peer === undefined ? '' : ratioOf(figure).toFixed(2);
      return [what, unit, short(kaya), ...beside, ratio, bars, verdict];
    }),
  ];
  return {
    table: tableOfRows(rows),
    isMissed: figures.some((figure) => missed(figure).length > 0),
  };
}
