/** A reporter's message to the process that runs it (tests/lanes.mjs). */
export interface Result {
  /** A test, or a file of tests. */
  name: string;
  passed?: number;
  failed?: number;
  skipped?: number;
  ms?: number;
  /** The failure. */
  reason?: string;
}

export const send = (result: Result): void => void process.send?.(result);
