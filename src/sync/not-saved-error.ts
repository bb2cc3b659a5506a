/** The intent is not on this device: nothing will be sent and the form must keep what was typed. */
export class NotSavedError extends Error {
  override name = 'NotSavedError';

  constructor(cause: unknown) {
    super('The change could not be saved on this device.', { cause });
  }
}
