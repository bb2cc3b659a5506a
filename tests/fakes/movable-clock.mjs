// @ts-check
// Loaded into a server before its own code (node --import): the clock that it reads can be moved on,
// so that what lives for minutes (an access token) ends within a test, by the server's own rules.
// Timers run on as they are.

let aheadMs = 0;
const RealDate = Date;
const nowMs = () => RealDate.now() + aheadMs;

globalThis.Date = new Proxy(RealDate, {
  get: (target, name, receiver) => (name === 'now' ? nowMs : Reflect.get(target, name, receiver)),
  construct: (target, args, asWhat) =>
    Reflect.construct(target, args.length === 0 ? [nowMs()] : args, asWhat),
});

// Every message moves the clock and is answered once it stands there.
process.on('message', (/** @type {any} */ message) => {
  aheadMs += message.moveOnMs;
  process.send?.({ aheadMs });
});
// A server that has nothing else to wait for may end.
process.channel?.unref();
