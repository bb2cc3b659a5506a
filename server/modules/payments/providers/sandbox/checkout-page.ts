/** The sandbox's payment page: plain HTML, no scripts, nothing that resembles real money. */

import { productName } from '#contract/version.ts';
import { formatNaira } from '#domain/money.ts';
import { escapeHtml, type Page, writePage } from '#server/http/page.ts';
import type { ChargeState } from './repository.ts';

const style = `
body { display: grid; justify-items: center; align-content: start; min-height: 100vh; min-height: 100dvh; padding: 1rem; }
main { width: 100%; max-width: 26rem; overflow: hidden; background: var(--surface); border: 1px solid var(--line); border-radius: 1.5rem; box-shadow: var(--shadow); }
.play { padding: 0.75rem 1.25rem; background: var(--accent); color: var(--on-accent); font-size: 0.9375rem; line-height: 1.4; }
.play strong { display: block; font-size: 1.0625rem; font-weight: 800; }
.content { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; padding: 1.25rem; }
header { display: flex; align-items: center; gap: 0.75rem; }
header img { flex: none; border-radius: 0.75rem; }
h1 { font-size: 1.25rem; }
.amount { font-size: clamp(1.75rem, 9vw, 2.75rem); font-weight: 800; letter-spacing: -0.02em; line-height: 1.1; font-variant-numeric: tabular-nums; }
.note { padding: 0.75rem 1rem; border-radius: 0.875rem; }
.note strong { display: block; }
.good { background: var(--good-faint); color: var(--good); }
.warn { background: var(--warn-faint); color: var(--warn); }
.bad { background: var(--bad-faint); color: var(--bad); }
dl { display: grid; gap: 0.75rem; padding: 1rem 0; border-block: 1px solid var(--line); }
dt { color: var(--ink-soft); font-size: 0.9375rem; }
.code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.9375rem; }
form { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.75rem; }
button, .button { display: flex; align-items: center; justify-content: center; min-width: 0; min-height: 3rem; padding: 0.5rem 1rem; border: 1.5px solid var(--control-line); border-radius: 0.875rem; background: var(--surface); color: var(--link); font: inherit; font-weight: 650; line-height: 1.2; text-align: center; text-decoration: none; cursor: pointer; touch-action: manipulation; }
.primary { grid-column: 1 / -1; border-color: transparent; background: var(--primary); color: var(--on-primary); }
button:active, .button:active { transform: translateY(1px); }
.back { display: flex; align-items: center; justify-content: center; min-height: 3rem; color: var(--link); }
@media (hover: hover) { .primary:hover { background: var(--primary-strong); } button:not(.primary):hover { background: var(--primary-faint); } }
@media (min-width: 40rem) { body { align-content: center; } .play { padding-inline: 1.5rem; } .content { padding: 1.5rem; } }
`;

const heading = `Sandbox payment to ${productName}`;
const backWords = `Back to ${escapeHtml(productName)}`;

function checkout(title: string, content: string): Page {
  const body = `<main>
<p class="play"><strong>Sandbox – no real money</strong> Play money: no card is charged, and you choose how it ends.</p>
<div class="content">
<header><img src="/icons/mark.svg" alt="" width="44" height="44"><h1>${escapeHtml(title)}</h1></header>
${content}
</div>
</main>`;
  return writePage({ title, style, body, forms: "'self'" });
}

interface Note {
  tone: 'good' | 'warn' | 'bad';
  title: string;
  text: string;
}

const notes: Record<ChargeState, Note | null> = {
  ongoing: null,
  success: {
    tone: 'good',
    title: 'Paid already',
    text: 'It was charged once and cannot be again.',
  },
  failed: { tone: 'bad', title: 'Declined', text: 'Nothing was paid. You can try again.' },
  abandoned: { tone: 'warn', title: 'Abandoned', text: 'Nothing was paid. You can still pay.' },
  expired: {
    tone: 'warn',
    title: 'This page has expired',
    text: `Nothing was paid. Begin a new top-up in ${productName}.`,
  },
};

function noteOf(state: ChargeState): string {
  const note = notes[state];
  if (!note) return '';
  const { tone, title, text } = note;
  return `<p class="note ${tone}" role="status"><strong>${escapeHtml(title)}</strong> ${escapeHtml(text)}</p>`;
}

function choicesOf(state: ChargeState, amount: string, backUrl: string): string {
  const back = (style: string) =>
    `<a class="${style}" href="${escapeHtml(backUrl)}">${backWords}</a>`;
  if (state === 'success' || state === 'expired') return back('button primary');
  return `<form method="post">
<button class="primary" name="decision" value="pay">Pay ${amount}</button>
<button name="decision" value="decline">Decline</button>
<button name="decision" value="abandon">Abandon</button>
</form>
${back('back')}`;
}

export interface Checkout {
  amountKobo: number;
  email: string;
  reference: string;
  state: ChargeState;
  backUrl: string;
}

/** Its form posts `decision` to the page's own URL. */
export function checkoutPage({ amountKobo, email, reference, state, backUrl }: Checkout): Page {
  const amount = escapeHtml(formatNaira(amountKobo));
  return checkout(
    heading,
    `${noteOf(state)}
<p class="amount">${amount}</p>
<dl>
<div><dt>Email</dt><dd>${escapeHtml(email)}</dd></div>
<div><dt>Reference</dt><dd class="code">${escapeHtml(reference)}</dd></div>
</dl>
${choicesOf(state, amount, backUrl)}`,
  );
}

export function unknownPage(): Page {
  return checkout(
    'No such payment',
    `<p>This payment page does not exist. Its address may have been cut short; begin the top-up again in ${escapeHtml(productName)}.</p>
<a class="button primary" href="/">${backWords}</a>`,
  );
}
