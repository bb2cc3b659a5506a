/** Why the server cannot start: one sentence for the operator, printed without a stack trace. */
export class StartupError extends Error {
  override name = 'StartupError';
}

/** Exits with one sentence on stderr and code 1. */
export function exitWith(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Runs `start`; a StartupError exits the process with its sentence. */
export async function exitOnStartupError(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    exitWith(error.message);
  }
}
