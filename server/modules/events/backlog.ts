/**
 * Readers who do not take what they are told. Invariant: what waits for one of them in this process
 * is at most `backlogBytes` and one event.
 */
import type { ServerResponse } from 'node:http';

/** Some hundred events. */
export const backlogBytes = 16 * 1024;

/** Writes; or cuts a reader for whom too much waits, who then comes again and pulls. */
export function writeOrCut(response: ServerResponse, text: string): void {
  if (response.destroyed || response.writableEnded) return;
  if (response.writableLength > backlogBytes) response.destroy();
  else response.write(text);
}
