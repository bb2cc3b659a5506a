/** A phone whose clock is wrong: that of its pages and of its service worker. */
import type { BrowserContext } from '@playwright/test';
import type { FaultProxy } from '#tests/fakes/fault-proxy.ts';

/** Before the first page opens. Timers run as ever. */
export async function putClockFast(
  { context, network }: { context: BrowserContext; network: FaultProxy },
  ms: number,
): Promise<void> {
  const script = `{
    const RealDate = Date;
    globalThis.Date = class Date extends RealDate {
      constructor(...args) {
        if (args.length === 0) super(RealDate.now() + ${ms});
        else super(...args);
      }
      static now() {
        return RealDate.now() + ${ms};
      }
    };
  }`;
  await context.addInitScript(script);
  network.prependToWorker(script);
}
