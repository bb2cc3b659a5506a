// @ts-check
/**
 * Writes the results: `latest.json` for programs, `latest.md`, sections of docs/performance.md and
 * docs/scaling.md and a plot for people. Each part has the date and machine of its own run, so that one part can be measured
 * alone.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { growthTablesOf, tableOf } from './report.mjs';
import { plotPath, scalingOf } from './scaling.mjs';

/**
 * @typedef {object} PartResult
 * @property {string} name
 * @property {string} measuredAt ISO 8601
 * @property {number} seconds
 * @property {string} machine
 * @property {string} node
 * @property {string} browser
 * @property {string | null} failure why not everything is there that should be
 * @property {import('./report.mjs').Figure[]} figures
 * @property {import('./report.mjs').Growth[]} growth
 */

/**
 * When and on what each part was measured, all figures in one table, and how costs grow.
 * @param {readonly PartResult[]} parts
 */
export function markdownOf(parts) {
  const growth = growthTablesOf(parts.flatMap((part) => part.growth));
  const runs = parts.map(({ name, measuredAt, seconds, machine, node, browser, failure }) => {
    const took = `${(seconds / 60).toFixed(1)} minutes`;
    const ended = failure === null ? '' : ` **Not whole: ${failure}.**`;
    return `- ${name}: ${measuredAt.slice(0, 16).replace('T', ' ')} UTC, ${took}, ${machine}, Node ${node}, ${browser}.${ended}`;
  });
  return [runs.join('\n'), tableOf(parts), ...(growth === '' ? [] : [growth])].join('\n\n');
}

const [begin, end] = ['<!-- bench: `npm run bench` writes what follows -->', '<!-- /bench -->'];

/** What the results say in each page, between its two markers. @type {Record<string, (parts: readonly PartResult[]) => string>} */
export const sections = {
  'docs/performance.md': markdownOf,
  'docs/scaling.md': (parts) => scalingOf(parts).text,
};

/** The page with this text between its two markers. @param {string} page @param {string} text */
export function pageWith(page, text) {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`The page has no ${begin} … ${end}.`);
  return `${before}${begin}\n\n${text}\n\n${end}${after}`;
}

/** Atomically: an interrupted run leaves the old file. @param {string} file @param {string} text */
function replace(file, text) {
  const beside = `${file}.new`;
  writeFileSync(beside, text);
  renameSync(beside, file);
}

/**
 * Replaces earlier results of the measured parts; `names` lists all parts in order.
 * @param {string} root with the pages @param {readonly string[]} names @param {readonly PartResult[]} measured
 */
export function writeResults(root, names, measured) {
  const folder = path.join(root, 'bench/results');
  const file = path.join(folder, 'latest.json');
  /** @type {PartResult[]} */
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).parts : [];
  const parts = names.flatMap((wanted) => {
    const part = [...measured, ...before].find(({ name }) => name === wanted);
    return part ? [part] : [];
  });
  const pages = Object.entries(sections).map(([name, textOf]) => {
    const page = path.join(root, name);
    return { page, told: pageWith(readFileSync(page, 'utf8'), textOf(parts)) };
  });
  const { plot } = scalingOf(parts);
  const title = '# What `npm run bench` measured last';
  mkdirSync(folder, { recursive: true });
  replace(file, `${JSON.stringify({ parts }, null, 2)}\n`);
  replace(path.join(folder, 'latest.md'), `${title}\n\n${markdownOf(parts)}\n`);
  for (const { page, told } of pages) replace(page, told);
  if (plot) replace(path.join(root, plotPath), plot);
}
