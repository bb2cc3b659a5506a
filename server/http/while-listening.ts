import type { FastifyInstance } from 'fastify';

/**
 * Runs `work` when the server listens and then every `everyMs`, one run at a time: a long run
 * delays the next. Closing aborts `stop` and waits for the current run; `onFailure` gets earlier
 * failures.
 */
export function whileListening(
  app: FastifyInstance,
  everyMs: number,
  work: (stop: AbortSignal) => Promise<unknown>,
  onFailure: (error: Error) => void,
): void {
  const stopping = new AbortController();
  let round: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const run = async () => {
    try {
      await work(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted && error instanceof Error) onFailure(error);
    }
  };
  const begin = () => {
    round ??= run().finally(() => {
      round = undefined;
    });
  };
  app.addHook('onListen', async () => {
    begin();
    timer = setInterval(begin, everyMs);
    timer.unref();
  });
  app.addHook('preClose', async () => {
    clearInterval(timer);
    stopping.abort();
    await round;
  });
}
