// @ts-check
/**
 * What a machine carries, on paper: the arithmetic of docs/scaling.md, from costs that the part
 * `fanout` measured in one run. Writes the page's table and its plot.
 */

/** Names of the figures from which everything here is computed. */
export const costs = {
  change: 'a change (create or accept), of the processor',
  read: 'a read of what changed, of the processor',
  pull: 'a list call that finds nothing new, of the processor',
  idleStream: 'an open stream, of the processor',
  batch: 'a batch to a stream, of the processor',
  row: 'a row in a batch to a stream, of the processor',
  rowBytes: 'data per row and stream',
  elsewhere: 'a change elsewhere, per stream with an area, of the processor',
  elsewhereRows: 'rows by a change elsewhere, per stream with an area',
  elsewhereBytes: 'data by a change elsewhere, per stream with an area',
};

/** @typedef {import('./report.mjs').Figure} Figure */

/**
 * Milliseconds of processor, server and database together; bytes; rows.
 * @typedef {Record<keyof typeof costs, number>} Costs
 */

/** Per unit of the figures. @type {Record<string, number>} */
const inMs = { ms: 1, 'ms/s': 1, µs: 0.001, bytes: 1, rows: 1 };

/** Null if any is missing. @param {readonly Figure[]} figures @returns {Costs | null} */
export function costsIn(figures) {
  const names = /** @type {(keyof Costs)[]} */ (Object.keys(costs));
  const entries = names.map((name) => {
    const found = figures.filter(({ what }) => what.startsWith(costs[name]));
    const sum = found.reduce((total, { kaya, unit }) => total + kaya * (inMs[unit] ?? NaN), 0);
    return /** @type {const} */ ([name, found.length === 0 ? Number.NaN : sum]);
  });
  if (entries.some(([, value]) => !Number.isFinite(value))) return null;
  return /** @type {Costs} */ (Object.fromEntries(entries));
}

/** Batches per second and stream at most (server/modules/events). */
const batchesPerSecond = 5;

/**
 * @typedef {object} Deployment
 * @property {number} share of the offers that a courier's working area contains; 1: everywhere
 * @property {number} processes each reads every change
 */

/** Quantities at the peak of `packages` a day (docs/scaling.md). @param {number} packages */
export function demandOf(packages) {
  const writes = (4 * packages * 3) / 36_000;
  return {
    writes,
    offers: writes / 2,
    couriers: packages / 40,
    senders: (packages * 240 * 3) / 36_000,
  };
}

/**
 * Cores in use at the peak, by what uses them.
 * @param {Costs} cost @param {number} packages a day @param {Deployment} deployment
 */
export function coresFor(cost, packages, { share, processes }) {
  const { writes, offers, couriers, senders } = demandOf(packages);
  const far = offers * (1 - share);
  const heard = offers * share + far * cost.elsewhereRows;
  const batches = Math.min(heard, batchesPerSecond);
  // A change reaches its sender and its courier whatever their area.
  const parties = 2 * writes * (cost.batch + cost.row);
  const ms = {
    writes: writes * cost.change,
    reads: Math.min(writes, batchesPerSecond) * processes * cost.read,
    timers: ((2 * (couriers + senders)) / 60) * cost.pull,
    streams: (couriers + senders) * cost.idleStream,
    rows: couriers * (batches * cost.batch + heard * cost.row + far * cost.elsewhere) + parties,
  };
  const cores = Object.entries(ms).map(([name, each]) => [name, each / 1000]);
  return /** @type {typeof ms} */ (Object.fromEntries(cores));
}

/** Per second and courier. @param {Costs} cost @param {{ packages: number, share: number }} where */
function bytesFor(cost, { packages, share }) {
  const perOffer = share * cost.rowBytes + (1 - share) * cost.elsewhereBytes;
  return demandOf(packages).offers * perOffer;
}

/** @param {Costs} cost @param {number} packages @param {Deployment} deployment */
const allCores = (cost, packages, deployment) =>
  Object.values(coresFor(cost, packages, deployment)).reduce((sum, each) => sum + each, 0);

/** Before streams carried rows: two list calls for each change of the offers. @param {Costs} cost @param {number} packages */
function coresByPulls(cost, packages) {
  const { writes, offers, couriers, senders } = demandOf(packages);
  const calls = 2 * couriers * Math.min(offers, 5) + (2 * (couriers + senders)) / 60;
  return (writes * cost.change + calls * cost.pull) / 1000;
}

/** The most packages a day at which `isEnough`, which only more of them can make false. @param {(packages: number) => boolean} isEnough */
function mostPackages(isEnough) {
  let [low, high] = [0, 100_000_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Packages a day that fill this many cores. @param {Costs} cost @param {number} cores @param {number} share */
export const capacityOf = (cost, cores, share) =>
  mostPackages((packages) => allCores(cost, packages, { share, processes: cores }) <= cores);

/** One in twenty offers: an area of a city. */
export const areaShare = 1 / 20;

const number = new Intl.NumberFormat('en');
/** Two significant digits. @param {number} value */
const rounded = (value) => Number(value.toPrecision(2));
/** @param {number} value */
const short = (value) => (value < 10 ? value.toFixed(2) : number.format(Math.round(value)));

const sizes = [10_000, 250_000, 1_000_000];

/** @param {Costs} cost */
function tableOf(cost) {
  const scenarios = [
    { name: 'everywhere', share: 1 },
    { name: 'a twentieth', share: areaShare },
  ];
  const columns = sizes.flatMap((packages) =>
    scenarios.map(({ name, share }) => ({ packages, name, share, processes: 8 })),
  );
  /** @param {string} what @param {(column: (typeof columns)[number]) => number} figureOf */
  const row = (what, figureOf) =>
    `| ${what} | ${columns.map((column) => short(figureOf(column))).join(' | ')} |`;
  const heading = columns.map(({ packages, name }) => `${number.format(packages)}, ${name}`);
  /** @param {keyof ReturnType<typeof coresFor>} name */
  const of = (name) => (/** @type {(typeof columns)[number]} */ column) =>
    coresFor(cost, column.packages, column)[name];
  return [
    `| cores at the peak | ${heading.join(' | ')} |`,
    `| --- |${columns.map(() => ' ---: |').join('')}`,
    row('writes', of('writes')),
    row('reads of what changed, 8 processes', of('reads')),
    row('timed list calls', of('timers')),
    row('open streams', of('streams')),
    row('rows to streams', of('rows')),
    row('**all**', (column) => allCores(cost, column.packages, column)),
    row('before: by pulls', ({ packages }) => coresByPulls(cost, packages)),
    row('sent to phones, MB/s', (column) => {
      return (demandOf(column.packages).couriers * bytesFor(cost, column)) / 1e6;
    }),
    row('received by one phone, MB/hour', (column) => (bytesFor(cost, column) * 3600) / 1e6),
  ].join('\n');
}

/** @param {Costs} cost */
function capacities(cost) {
  /** @param {number} cores */
  const of = (cores) => {
    const [all, some] = [1, areaShare].map((share) =>
      number.format(rounded(capacityOf(cost, cores, share))),
    );
    return `${all} packages a day if every courier hears of every offer, ${some} if each hears of a twentieth`;
  };
  return `Two cores carry ${of(2)}. Eight cores, on paper: ${of(8)}.`;
}

const view = { width: 720, height: 400, left: 56, right: 150, top: 16, bottom: 44 };
const lineHeight = 14;
const axes = { x: [1_000, 1_000_000], y: [0.01, 100] };

/** Position on a logarithmic axis. @param {number} value @param {readonly number[]} range @param {number} from @param {number} to */
function along(value, [low = 1, high = 10], from, to) {
  return from + ((to - from) * Math.log(value / low)) / Math.log(high / low);
}
/** @param {number} packages */
const xOf = (packages) => along(packages, axes.x, view.left, view.width - view.right);
/** @param {number} cores */
const yOf = (cores) => along(cores, axes.y, view.height - view.bottom, view.top);

/** Cores over packages a day, on logarithmic axes; readable on light and dark ground. @param {Costs} cost */
export function plotOf(cost) {
  const lines = [
    { label: 'by pulls, before', style: 'before', cores: coresByPulls },
    ...[
      { label: 'by rows, everywhere', style: 'everywhere', share: 1 },
      { label: 'by rows, a twentieth', style: 'area', share: areaShare },
    ].map(({ label, style, share }) => ({
      label,
      style,
      cores: (/** @type {Costs} */ each, /** @type {number} */ packages) =>
        allCores(each, packages, { share, processes: 2 }),
    })),
  ];
  const steps = Array.from({ length: 61 }, (_, index) => 1_000 * 10 ** (index / 20));
  /** @type {number[]} */
  const taken = [];
  const drawn = lines.map(({ label, style, cores }) => {
    const inside = steps.filter((packages) => cores(cost, packages) <= (axes.y[1] ?? 0));
    const points = inside.map(
      (packages) => `${xOf(packages).toFixed(1)},${yOf(cores(cost, packages)).toFixed(1)}`,
    );
    const last = inside.at(-1) ?? 1_000;
    const at = { x: xOf(last) + 6, y: yOf(cores(cost, last)) + 4 };
    // Below those beside it.
    while (taken.some((y) => Math.abs(y - at.y) < lineHeight)) at.y += lineHeight;
    taken.push(at.y);
    return `<polyline class="line ${style}" points="${points.join(' ')}"/>
<text class="${style}" x="${at.x.toFixed(1)}" y="${at.y.toFixed(1)}">${label}</text>`;
  });
  const right = view.width - view.right;
  const bottom = view.height - view.bottom;
  const columns = [1_000, 10_000, 100_000, 1_000_000].map(
    (packages) => `<path class="grid" d="M${xOf(packages)} ${view.top}V${bottom}"/>
<text class="middle" x="${xOf(packages)}" y="${bottom + 18}">${number.format(packages)}</text>`,
  );
  const rows = [0.01, 0.1, 1, 10, 100].map(
    (cores) => `<path class="grid" d="M${view.left} ${yOf(cores).toFixed(1)}H${right}"/>
<text class="end" x="${view.left - 8}" y="${(yOf(cores) + 4).toFixed(1)}">${cores}</text>`,
  );
  const machines = [2, 8].map(
    (cores) => `<path class="machine" d="M${view.left} ${yOf(cores).toFixed(1)}H${right}"/>
<text x="${view.left + 6}" y="${(yOf(cores) - 5).toFixed(1)}">${cores} cores</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${view.width} ${view.height}" role="img" aria-label="Cores in use at the peak, by packages a day">
<style>
text { font: 12px system-ui, sans-serif; fill: #1d1a33; }
.middle { text-anchor: middle; } .end { text-anchor: end; }
.grid { stroke: #dccfb8; } .machine { stroke: #565068; stroke-dasharray: 5 4; }
.line { fill: none; stroke-width: 2.5; }
.line.before { stroke: #a31e18; } .line.everywhere { stroke: #2e2f86; } .line.area { stroke: #14603a; }
text.before { fill: #a31e18; } text.everywhere { fill: #2e2f86; } text.area { fill: #14603a; }
@media (prefers-color-scheme: dark) {
text { fill: #f5f0e5; } .grid { stroke: #37345a; } .machine { stroke: #bfb9d0; }
.line.before { stroke: #ffb6ae; } .line.everywhere { stroke: #bdbcff; } .line.area { stroke: #96e3b4; }
text.before { fill: #ffb6ae; } text.everywhere { fill: #bdbcff; } text.area { fill: #96e3b4; }
}
</style>
${[...columns, ...rows, ...machines, ...drawn].join('\n')}
<text class="middle" x="${(view.left + right) / 2}" y="${view.height - 6}">packages a day</text>
</svg>
`;
}

export const plotPath = 'docs/scaling.svg';

/**
 * The measured section of docs/scaling.md, and its plot; without figures, a sentence that says so.
 * @param {ReadonlyArray<{ name: string, figures: readonly Figure[] }>} parts
 * @returns {{ text: string, plot: string | null }}
 */
export function scalingOf(parts) {
  const cost = costsIn(parts.find(({ name }) => name === 'fanout')?.figures ?? []);
  if (!cost) {
    return { text: 'Not measured yet: `npm run bench -- fanout` writes it.', plot: null };
  }
  const picture = '![Cores in use at the peak, by packages a day](scaling.svg)';
  return { text: [capacities(cost), picture, tableOf(cost)].join('\n\n'), plot: plotOf(cost) };
}
