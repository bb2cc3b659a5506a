import type { FastifyInstance } from 'fastify';

/**
 * Runs `round` when the server listens and then every `everyMs`, one at a time; closing aborts
 * `stop` and waits for the current one. `round` must not reject.
 */
export function whileListening(
  app: FastifyInstance,
  everyMs: number,
  round: (stop: AbortSignal) => Promise<void>,
): void {
  const stopping = new AbortController();
  let underWay = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    underWay = round(stopping.signal);
    timer = setInterval(() => {
      underWay = underWay.then(() => round(stopping.signal));
    }, everyMs);
    timer.unref();
  });
  app.addHook('preClose', async () => {
    clearInterval(timer);
    stopping.abort();
    await underWay;
  });
}
