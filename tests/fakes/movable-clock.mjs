// @ts-check
// Preloaded into a server (node --import): its clock can be advanced, so that an access token
// expires within a test by the server's own rules. Timers are unaffected.

let aheadMs = 0;
const RealDate = Date;
const nowMs = () => RealDate.now() + aheadMs;

globalThis.Date = new Proxy(RealDate, {
  get: (target, name, receiver) => (name === 'now' ? nowMs : Reflect.get(target, name, receiver)),
  construct: (target, args, asWhat) =>
    Reflect.construct(target, args.length === 0 ? [nowMs()] : args, asWhat),
});

// Every message advances the clock and is then answered.
process.on('message', (/** @type {any} */ message) => {
  aheadMs += message.moveOnMs;
  process.send?.({ aheadMs });
});
// Do not keep the process alive.
process.channel?.unref();
