// @ts-check
// Preloaded into the demo server: its clock starts at SHOTS_NOW (ms since 1970), so that
// screenshots always show the same dates.
const aheadMs = Number(process.env.SHOTS_NOW) - Date.now();
const realNow = Date.now;
const now = () => realNow() + aheadMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, args, self) => Reflect.construct(target, args.length ? args : [now()], self),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
