/** Scroll positions of lists by history entry: Back restores them, a link starts at the top. */
import type { CacheSnapshot } from 'virtua';

interface Scrolled {
  topPx: number;
  /** Measured item heights; without them the offset would be estimated. */
  measured: CacheSnapshot;
}

/** Bounds memory; users rarely go back further. */
const mostEntries = 20;
const byEntry = new Map<string, Scrolled>();

/** The router's key of the current entry; '' for the first page loaded. */
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
