// @ts-check
/** What the tables of both halves of the bench are made of. */

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = [
    sorted[Math.ceil(middle) - 1],
    sorted[Math.floor(middle)],
  ];
  return (low + high) / 2;
}

/** In Markdown. @param {readonly (readonly string[])[]} rows */
export function tableOfRows(rows) {
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
