import { StartupError } from '#server/startup-error.ts';

/** What cannot be used as a backup, in a sentence for the person who ran the command. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** For a command: the sentence is all that the person gets to read. */
export async function orStartupError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof BackupError ? new StartupError(error.message) : error;
  }
}
