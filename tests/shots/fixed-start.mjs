// Loaded into the demo's server before anything else: its clock starts at SHOTS_NOW (ms since 1970)
// and goes on from there, so that the pictures of today and of next year show the same dates.
const aheadMs = Number(process.env.SHOTS_NOW) - Date.now();
const RealDate = Date;

globalThis.Date = class extends RealDate {
  /** @param {[]} args those of Date */
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + aheadMs);
    else super(...args);
  }

  static now() {
    return RealDate.now() + aheadMs;
  }
};
