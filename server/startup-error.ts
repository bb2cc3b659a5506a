/** Why the server cannot start, as one sentence for the person who started it; never a stack trace. */
export class StartupError extends Error {
  override name = 'StartupError';
}

/** Runs `start`; a StartupError ends the process with its sentence instead of a stack. */
export async function orExplain(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
