/**
 * How far the lists were scrolled, by the history entry that they were shown under: Back leads to
 * where one was, a link to the beginning. The router gives each entry a key of its own.
 */
import type { CacheSnapshot } from 'virtua';

interface Scrolled {
  topPx: number;
  /** The heights as measured, without which the way down would be guessed. */
  measured: CacheSnapshot;
}

/** Further back nobody goes by a button. */
const mostEntries = 20;
const byEntry = new Map<string, Scrolled>();

/** '' for the page that was loaded first. */
export function historyEntry(): string {
  return history.state?.key ?? '';
}

export function recallScroll(entry: string): Scrolled | undefined {
  return byEntry.get(entry);
}

export function rememberScroll(entry: string, scrolled: Scrolled): void {
  byEntry.delete(entry);
  byEntry.set(entry, scrolled);
  const [oldest] = byEntry.keys();
  if (byEntry.size > mostEntries && oldest !== undefined) byEntry.delete(oldest);
}
