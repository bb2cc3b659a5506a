/** What was measured, as the table of the README. */
import { tableOfRows } from './figures.mjs';

interface Speed {
  perSecond: number;
  p99Ms: number;
}

export interface Result {
  database: string;
  call: string;
  product: Speed;
  bare: Speed;
  /** Of calls per second. */
  ratio: number;
}

/** Of the bare server's calls per second the product must reach at least this part. */
export const limit = 0.7;

const speed = ({ perSecond, p99Ms }: Speed) => [perSecond.toFixed(0), p99Ms.toFixed(1)];

export function tableOf(results: readonly Result[]): string {
  const rows = [
    ['database', 'call', 'Kaya/s', 'p99 ms', 'bare/s', 'p99 ms', 'ratio', `≥ ${limit}`],
    ['---', '---', '---:', '---:', '---:', '---:', '---:', '---'],
    ...results.map((result) => {
      const { database, call, product, bare, ratio } = result;
      const verdict = ratio < limit ? 'no' : 'yes';
      return [database, call, ...speed(product), ...speed(bare), ratio.toFixed(2), verdict];
    }),
  ];
  return tableOfRows(rows);
}
