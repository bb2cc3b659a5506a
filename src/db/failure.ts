/** What went wrong with the phone's storage, told by the names of errors and never by their texts. */

/**
 * `full`: no room on the phone. `lost`: the connection broke, or the storage does not answer; it is
 * reopened. `blocked`: another tab holds an older version of the database open.
 * `outdated`: another tab has made it a newer one, so this one may not go on. `none`: this browser
 * keeps nothing. `newer`: a newer version of the app has left it, and this one cannot use it.
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
  // Cookies blocked for this site, or a browser without IndexedDB.
  SecurityError: 'none',
  MissingAPIError: 'none',
};

/** What an error was caused by: Dexie's word for it, or the language's. */
function causeOf(error: object): unknown {
  if ('inner' in error && error.inner) return error.inner;
  return 'cause' in error ? error.cause : undefined;
}

/** Null: not an error of the storage. The deepest cause decides: Dexie wraps what the browser said. */
export function storageFaultOf(error: unknown): StorageFault | null {
  let fault: StorageFault | null = null;
  const seen = new Set<unknown>();
  for (let at = error; typeof at === 'object' && at !== null && !seen.has(at); at = causeOf(at)) {
    seen.add(at);
    if ('name' in at && typeof at.name === 'string') fault = faultsByName[at.name] ?? fault;
  }
  return fault;
}

/** The intent is not on this device: nothing will be sent and the form must keep what was typed. */
export class NotSavedError extends Error {
  override name = 'NotSavedError';
  /** What the phone's storage had against it; null: something else. */
  readonly fault: StorageFault | null;

  constructor(cause: unknown, fault: StorageFault | null = null) {
    super('The change could not be saved on this device.', { cause });
    this.fault = storageFaultOf(cause) ?? fault;
  }
}
