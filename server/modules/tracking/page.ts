/**
 * The recipient's page (docs/decisions/0083-recipient-page.md): whole without its script, whose
 * agreement with it is the ids and data attributes of `tracking`, `state`, `note`, `show-map` and
 * `map`.
 */
import { limits } from '#contract/fields.ts';
import { pathOf } from '#contract/routes.ts';
import { recipientNoteKinds, trackingEventsPath, trackingPagePath } from '#contract/tracking.ts';
import { productName } from '#contract/version.ts';
import { escapeHtml, type Page, writePage } from '#server/http/page.ts';
import { clockText } from './times.ts';
import type { Phase, Words } from './words.ts';

/** Browsers without variables or grid get blocks in plain colours. */
const style = `
body { padding: 0.75rem; padding: min(0.75rem, 3vw); }
header, main, body > section { max-width: 32rem; margin: 0 auto 0.75rem; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.5rem; font-weight: 800; font-size: 1.125rem; }
header img { border-radius: 0.5rem; }
[hidden] { display: none !important; }
.card { margin: 0 auto 0.75rem; padding: 1.25rem; padding: min(1.25rem, 4.5vw); background: #fff; background: var(--surface); border: 1px solid #dccfb8; border-color: var(--line); border-radius: 1.25rem; box-shadow: var(--shadow); }
h1 { margin: 0.125rem 0; font-size: 1.625rem; letter-spacing: -0.01em; }
h2 { margin: 0 0 0.5rem; font-size: 1.125rem; }
.soft, dt, time { color: var(--ink-soft); font-size: 0.9375rem; }
.text { white-space: pre-line; }
.on-the-way { background: #2e2f86; color: #fff; border-color: transparent; }
.on-the-way .soft, .on-the-way dt, .on-the-way time { color: inherit; }
.good { background: var(--good-faint); } .good h1, .good .steps, p.good { color: var(--good); }
.warn { background: var(--warn-faint); } .warn h1, .warn .steps { color: var(--warn); }
.steps { display: flex; gap: 0.375rem; margin: 0.875rem 0 0; }
.steps i { flex: 1; height: 0.375rem; border-radius: 1rem; background: currentcolor; opacity: 0.25; }
.steps .on { opacity: 1; }
.on-the-way .steps .on { background: #f5a81c; opacity: 1; }
.warn .button { margin-bottom: 0.25rem; }
/* At the door the code comes first; its place in the page stays, so that an open map does. */
#tracking { display: flex; flex-direction: column; } #tracking > * { order: 1; margin-left: 0; margin-right: 0; } #stage, [data-stage="arrived"] ~ #code { order: 0 !important; }
dl { display: flex; flex-wrap: wrap; gap: 0.5rem 1.75rem; margin: 0.875rem 0 0; }
dd, dd time { font-weight: 650; font-size: 1.0625rem; color: inherit; }
.button, button { display: inline-block; min-height: 3rem; margin: 0.5rem 0.25rem 0 0; padding: 0.6875rem 1.125rem; border: 1.5px solid #8a8175; border-color: var(--control-line); border-radius: 0.875rem; background: var(--surface); color: var(--link); font: inherit; font-weight: 650; line-height: 1.3; text-decoration: none; cursor: pointer; }
.primary { border-color: transparent; background: #2e2f86; background: var(--primary); color: #fff; color: var(--on-primary); }
.digits { font: 800 2.75rem/1.2 ui-monospace, Menlo, Consolas, monospace; letter-spacing: 0.06em; overflow-wrap: normal; }
svg { display: block; width: 100%; max-width: 15rem; margin: 0.5rem auto 0; background: #fff; border-radius: 0.75rem; }
#photos a { display: inline-block; margin: 0.5rem 0.5rem 0 0; }
#photos img { display: block; max-width: 100%; max-height: 20rem; border-radius: 0.75rem; }
ol { list-style: none; margin: 0; padding: 0; }
ol li { position: relative; padding: 0 0 0.875rem 1.5rem; margin-left: 0.4375rem; }
ol li::after { content: ""; position: absolute; left: -1px; top: 1.25rem; bottom: -0.375rem; width: 2px; background: var(--line); }
ol li::before { content: ""; position: absolute; left: -0.4375rem; top: 0.375rem; width: 0.875rem; height: 0.875rem; border-radius: 50%; background: var(--control-line); }
ol li:first-child::before { background: var(--accent); }
ol li:last-child { padding-bottom: 0; }
ol li:last-child::after { content: none; }
ol time { display: block; }
ol + p { margin-top: 0.75rem; }
ul { padding-left: 1.25rem; } ul li + li { margin-top: 0.25rem; }
.ways { display: flex; flex-wrap: wrap; gap: 0 0.5rem; } .ways a { flex: 1 1 auto; margin-right: 0; text-align: center; }
fieldset { margin: 0; padding: 0; border: 0; }
legend, .label { display: block; margin: 0.5rem 0 0.25rem; padding: 0; font-weight: 650; }
.choice { display: flex; padding: 0.5rem 0; }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0.125rem 0.5rem 0 0; accent-color: var(--primary); }
textarea { display: block; width: 100%; padding: 0.75rem; border: 1.5px solid #8a8175; border-color: var(--control-line); border-radius: 0.75rem; background: var(--page); color: inherit; font: inherit; }
.error { color: #a31e18; color: var(--bad); font-weight: 650; }
p.good { margin-bottom: 0.75rem; padding: 0.75rem 1rem; border-radius: 0.75rem; }
form > .error:last-child { margin-top: 0.5rem; }
#show-map { width: 100%; margin: 0.5rem 0 0; }
#map { padding: 0; height: 18rem; margin-top: 0.75rem; overflow: hidden; background: var(--page); border: 1px solid var(--line); border-radius: 0.75rem; }
#map[role] { height: auto; padding: 0.75rem; }
#live, noscript { margin-left: auto; color: var(--ink-soft); font-weight: 400; font-size: 0.9375rem; }
#live[data-contact="live"]::before { content: "● "; color: var(--good); }
#live[data-contact="cut"] { color: var(--bad); }
@media (min-width: 62rem) {
  body:has(#note) { display: grid; grid-template: auto auto auto 1fr / 34rem 24rem; gap: 0 0.75rem; justify-content: center; }
  body:has(#note) > * { width: 100%; max-width: none; }
  body > header { grid-column: 1 / -1; }
  #tracking { grid-area: 2 / 1 / -1 / 2; }
  body:has(#note) > section { grid-column: 2; }
}
`;

/** With the age of the page, which its script keeps. */
const header = (age = '') =>
  `<header><img src="/icons/mark.svg" alt="" width="32" height="32">${escapeHtml(productName)}${age}</header>`;

/** The submitted note with its errors. */
export interface NoteForm {
  kind?: string;
  text?: string;
  errors?: { kind?: string | undefined; text?: string | undefined; form?: string | undefined };
  isSent?: boolean;
}

interface Content {
  token: string;
  words: Words;
  /** The HTML inside `main`. */
  inside: string;
  title: string;
  phase: Phase;
  canNote: boolean;
  form: NoteForm;
  now: Date;
  /** Sources of the map's tiles. */
  tiles: readonly string[];
}

const errorOf = (id: string, text: string | undefined) =>
  text === undefined ? '' : `<p class="error" id="${id}" role="alert">${escapeHtml(text)}</p>`;
const invalid = (id: string, text: string | undefined) =>
  text === undefined ? '' : ` aria-invalid="true" aria-describedby="${id}"`;

const hiddenIf = (isHidden: boolean) => (isHidden ? ' hidden' : '');

function noteSection({ token, words, phase, canNote, form }: Content): string {
  const { kind, text = '', errors = {}, isSent = false } = form;
  const kinds = recipientNoteKinds.map((name, nth) => {
    const isWrong = nth === 0 ? invalid('kind-error', errors.kind) : '';
    return `<label class="choice"><input type="radio" name="kind" value="${name}" required${kind === name ? ' checked' : ''}${isWrong}>${escapeHtml(words.kinds[name])}</label>`;
  });
  // A typed note stays readable, even if it can no longer be sent.
  const isKept = errors.form !== undefined;
  const isHidden = phase !== 'coming' && !isKept;
  return `<section id="note" class="card" aria-labelledby="note-title"${hiddenIf(isHidden)}>
<h2 id="note-title">${escapeHtml(words.note)}</h2>
${isSent ? `<p class="good" role="status">${escapeHtml(words.noted)}</p>` : ''}
<p id="no-more-notes"${hiddenIf(canNote)}>${escapeHtml(words.cannotNote)}</p>
<form method="post" action="${escapeHtml(pathOf(trackingPagePath, { token }))}"${hiddenIf(!canNote && !isKept)}>
<fieldset><legend>${escapeHtml(words.kindLegend)}</legend>
${kinds.join('\n')}
${errorOf('kind-error', errors.kind)}</fieldset>
<label class="label" for="note-text">${escapeHtml(words.text)}</label>
<textarea dir="auto" id="note-text" name="text" rows="3" maxlength="${limits.recipientNote}" required${invalid('text-error', errors.text)}>
${escapeHtml(text)}</textarea>
${errorOf('text-error', errors.text)}${errorOf('form-error', errors.form)}
<button class="primary"${hiddenIf(!canNote)}>${escapeHtml(words.send)}</button>
</form>
</section>`;
}

/** Inside `main` there is exactly what the stream brings, so that the script changes only what differs. */
export function trackingPage(content: Content): Page {
  const { token, words, inside, title, now, tiles } = content;
  const asOf = `${escapeHtml(words.asOf(clockText(words, now)))} <a href="${escapeHtml(pathOf(trackingPagePath, { token }))}">${escapeHtml(words.refresh)}</a>`;
  const ways = words.wrongWays
    .map(({ phases, text }) => {
      const isHidden = !phases.includes(content.phase);
      return `<li data-phases="${phases.join(' ')}"${hiddenIf(isHidden)}>${escapeHtml(text)}</li>`;
    })
    .join('');
  const body = `${header(`<noscript><span>${asOf}</span></noscript>`)}
<main id="tracking" data-events="${escapeHtml(pathOf(trackingEventsPath, { token }))}">${inside}</main>
${noteSection(content)}
<section id="wrong" class="card" aria-labelledby="wrong-title"><h2 id="wrong-title">${escapeHtml(words.wrong)}</h2><ul>${ways}</ul></section>
<script src="/track/live.js" type="module"></script>`;
  const { language } = words;
  return writePage({ title, style, body, forms: "'self'", language, live: { tiles } });
}

/** A page that says only why there is none. */
export function problemPage(words: Words, problem: keyof Words['problems']): Page {
  const { title, text } = words.problems[problem];
  const body = `${header()}
<main><section class="card"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></section></main>`;
  return writePage({ title, style, body, forms: "'none'", language: words.language });
}
