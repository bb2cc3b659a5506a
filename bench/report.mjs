// @ts-check
/**
 * What the parts of the bench tell, and how it reads: one table of figures beside their peers and bars,
 * and tables of how a cost grows. The only place where a bar is held against a figure.
 */

/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {string} unit
 * @property {number} kaya
 * @property {string} [peerName]
 * @property {number} [peer] the same work by the peer
 * @property {number} [ratio] where it is not that of the two figures: the median of that of each round
 * @property {number} [most] bar from above
 * @property {number} [least] bar from below
 * @property {number} [leastRatio] of what the peer reaches
 * @property {number} [mostRatio] of what the peer takes
 */

/**
 * @typedef {object} Growth
 * @property {string} what
 * @property {string} unit
 * @property {string} by what there is more of from figure to figure
 * @property {Array<{ size: number, figure: number }>} steps
 */

/** @typedef {{ figures?: readonly Figure[], growth?: readonly Growth[] }} Findings */

/** From a part to the command that runs it, at once: what was found stays where the part fails later.
 * @param {Findings} findings */
export function tell(findings) {
  if (!process.send) throw new Error('Parts of the bench are run by `npm run bench -- PART`.');
  process.send(findings);
}

/** What one waits for. @param {string} text */
export const say = (text) => process.stderr.write(`${text}\n`);

/** @param {number} value */
function short(value) {
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value < 1 && value > 0 ? 2 : 1);
}

/** @param {Figure} figure */
function ratioOf({ kaya, peer, ratio }) {
  return ratio ?? (peer === undefined ? Number.NaN : kaya / peer);
}

/** Each bar of a figure, and whether it is reached. A figure that is no number reaches none.
 * @param {Figure} figure */
function barsOf(figure) {
  const { kaya, most, least, leastRatio, mostRatio } = figure;
  const ratio = ratioOf(figure);
  return [
    ...(most === undefined ? [] : [{ text: `≤ ${most}`, isMet: kaya <= most }]),
    ...(least === undefined ? [] : [{ text: `≥ ${least}`, isMet: kaya >= least }]),
    ...(leastRatio === undefined
      ? []
      : [{ text: `≥ ${leastRatio} ×`, isMet: ratio >= leastRatio }]),
    ...(mostRatio === undefined ? [] : [{ text: `≤ ${mostRatio} ×`, isMet: ratio <= mostRatio }]),
  ];
}

/** @param {Figure} figure */
export const isMissed = (figure) => barsOf(figure).some(({ isMet }) => !isMet);

/** Whether a part failed or misses a bar: the command ends with 1 by this.
 * @param {{ failure: string | null, figures: readonly Figure[] }} part */
export const isWanting = ({ failure, figures }) => failure !== null || figures.some(isMissed);

/** In Markdown. @param {readonly (readonly string[])[]} rows */
export function tableOfRows(rows) {
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** @param {Figure} figure */
function cellsOf(figure) {
  const { what, unit, kaya, peer, peerName = '' } = figure;
  const bars = barsOf(figure);
  const verdict = isMissed(figure) ? 'no' : 'yes';
  return [
    ...[what, unit, short(kaya)],
    ...(peer === undefined ? ['', '', ''] : [short(peer), peerName, ratioOf(figure).toFixed(2)]),
    ...[bars.map(({ text }) => text).join(', '), bars.length === 0 ? '' : verdict],
  ];
}

/** One table; a line with a name begins each group. @param {ReadonlyArray<{ name: string, figures: readonly Figure[] }>} groups */
export function tableOf(groups) {
  return tableOfRows([
    ['what', 'unit', 'Kaya', 'peer', '', 'ratio', 'bar', 'met'],
    ['---', '---', '---:', '---:', '---', '---:', '---', '---'],
    ...groups
      .filter(({ figures }) => figures.length > 0)
      .flatMap(({ name, figures }) => [
        [`**${name}**`, '', '', '', '', '', '', ''],
        ...figures.map(cellsOf),
      ]),
  ]);
}

/** A table for each thing that there is more of. @param {readonly Growth[]} growth */
export function growthTablesOf(growth) {
  const number = new Intl.NumberFormat('en');
  const kinds = [...new Set(growth.map(({ by }) => by))];
  return kinds
    .map((kind) => {
      const rows = growth.filter(({ by }) => by === kind);
      const all = rows.flatMap(({ steps }) => steps.map(({ size }) => size));
      const sizes = [...new Set(all)].sort((a, b) => a - b);
      return tableOfRows([
        [kind, 'unit', ...sizes.map((size) => number.format(size))],
        ['---', '---', ...sizes.map(() => '---:')],
        ...rows.map(({ what, unit, steps }) => [
          ...[what, unit],
          ...sizes.map((wanted) => {
            const found = steps.find(({ size }) => size === wanted);
            return found ? short(found.figure) : '';
          }),
        ]),
      ]);
    })
    .join('\n\n');
}
