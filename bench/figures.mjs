// @ts-check

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

/** Sequentially. @template T @param {number} times @param {() => Promise<T>} work @returns {Promise<T[]>} */
export async function repeated(times, work) {
  const results = [];
  for (let round = 0; round < times; round += 1) results.push(await work());
  return results;
}
