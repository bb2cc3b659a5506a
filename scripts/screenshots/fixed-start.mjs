// @ts-check
// Preloaded into the demo server: its clock starts at SHOTS_NOW (ms since 1970), so that
// screenshots always show the same dates.
import { ServerResponse } from 'node:http';

const startMs = Number(process.env.SHOTS_NOW);
const aheadMs = startMs - Date.now();
const realNow = Date.now;
const now = () => realNow() + aheadMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, args, self) => Reflect.construct(target, args.length ? args : [now()], self),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

// The phone's clock stands still at the start: by any other Date the app finds it wrong, sooner or
// later in a long run.
const startDate = new Date(startMs).toUTCString();
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = /** @type {typeof writeHead} */ (
  /** @this {ServerResponse} @param {Parameters<typeof writeHead>} args */
  function (...args) {
    this.setHeader('date', startDate);
    return writeHead.apply(this, args);
  }
);
