/** Classifies storage errors, by name and never by message. */

/**
 * `full`: no space left. `lost`: the connection broke or hangs; it is reopened. `blocked`: another
 * tab holds an older version open. `outdated`: another tab upgraded it, so this one must stop.
 * `none`: the browser stores nothing. `newer`: left by a newer app version, unusable here.
 */
export type StorageFault = 'full' | 'lost' | 'blocked' | 'outdated' | 'newer' | 'none';

const faultsByName: Readonly<Record<string, StorageFault>> = {
  QuotaExceededError: 'full',
  // Safari in the background: 'Connection to Indexed Database server lost'; Chrome: a failing disk.
  UnknownError: 'lost',
  InvalidStateError: 'lost',
  TimeoutError: 'lost',
  DatabaseClosedError: 'lost',
  OpenFailedError: 'lost',
  NewerDatabaseError: 'newer',
  // Cookies blocked for this site, or no IndexedDB.
  SecurityError: 'none',
  MissingAPIError: 'none',
};

function causeOf(error: object): unknown {
  if ('inner' in error && error.inner) return error.inner;
  return 'cause' in error ? error.cause : undefined;
}

/** Null: not a storage error. The deepest known cause wins: Dexie wraps the browser's errors. */
export function storageFaultOf(error: unknown): StorageFault | null {
  let fault: StorageFault | null = null;
  const seen = new Set<unknown>();
  for (let at = error; typeof at === 'object' && at !== null && !seen.has(at); at = causeOf(at)) {
    seen.add(at);
    if ('name' in at && typeof at.name === 'string') fault = faultsByName[at.name] ?? fault;
  }
  return fault;
}

/** The intent was not saved: nothing will be sent, and the form must keep its input. */
export class NotSavedError extends Error {
  override name = 'NotSavedError';
  readonly fault: StorageFault | null;

  constructor(cause: unknown, fault: StorageFault | null = null) {
    super('The change could not be saved on this device.', { cause });
    this.fault = storageFaultOf(cause) ?? fault;
  }
}
