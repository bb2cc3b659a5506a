/** What a reporter tells the process that runs it (tests/lanes.mjs). */
export interface Result {
  /** A test, or a file of tests. */
  name: string;
  passed?: number;
  failed?: number;
  skipped?: number;
  ms?: number;
  /** Why it failed. */
  reason?: string;
}

export const send = (result: Result): void => void process.send?.(result);
