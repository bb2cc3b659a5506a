import { type StorageFault, storageFaultOf } from '#db/failure.ts';

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
