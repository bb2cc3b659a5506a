// @ts-check
// Loaded into the demo's server before anything else: its clock starts at SHOTS_NOW (ms since 1970)
// and goes on from there, so that the pictures of today and of next year show the same dates.
const aheadMs = Number(process.env.SHOTS_NOW) - Date.now();
const realNow = Date.now;
const now = () => realNow() + aheadMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, args, self) => Reflect.construct(target, args.length ? args : [now()], self),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
