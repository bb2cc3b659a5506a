// @ts-check
/**
 * The reports of the bench's parts and their tables. The only place that compares a figure with its
 * bar.
 */

/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {string} unit
 * @property {number} kaya
 * @property {string} [peerName]
 * @property {number} [peer] the same work by the peer
 * @property {number} [ratio] the median of each round's ratio, if not that of the two figures
 * @property {number} [most] upper bar
 * @property {number} [least] lower bar
 * @property {number} [leastRatio] minimum ratio to the peer
 * @property {number} [mostRatio] maximum ratio to the peer
 */

/**
 * @typedef {object} Growth
 * @property {string} what
 * @property {string} unit
 * @property {string} by what grows from step to step
 * @property {Array<{ size: number, figure: number }>} steps
 */

/** @typedef {{ figures?: readonly Figure[], growth?: readonly Growth[] }} Findings */

/**
 * Sends findings from a part to the command as they arise: they survive a later failure.
 * @param {Findings} findings
 */
export function tell(findings) {
  if (!process.send) throw new Error('Parts of the bench are run by `npm run bench -- PART`.');
  process.send(findings);
}

/** Prints progress. @param {string} text */
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

/**
 * Each bar of a figure, and whether it is met; NaN meets none.
 * @param {Figure} figure
 */
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

/**
 * Did a part fail or miss a bar? Then the command exits with 1.
 * @param {{ failure: string | null, figures: readonly Figure[] }} part
 */
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

/**
 * One table; a line with a name starts each group.
 * @param {ReadonlyArray<{ name: string, figures: readonly Figure[] }>} groups
 */
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

/** One table per growing quantity. @param {readonly Growth[]} growth */
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
