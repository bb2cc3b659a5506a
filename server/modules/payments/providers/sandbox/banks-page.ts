/** The sandbox's page about bank accounts: which numbers show which end of a payout. */
import { productName } from '#contract/version.ts';
import { escapeHtml, type Page, writePage } from '#server/http/page.ts';
import { sandboxBanks } from './banks.ts';
import { specialLives, unknownAccount } from './transfer-lives.ts';

const style = `
body { display: grid; justify-items: center; align-content: start; padding: 1rem; }
main { display: grid; gap: 1rem; width: 100%; max-width: 40rem; padding: 1.25rem; background: var(--surface); border: 1px solid var(--line); border-radius: 1.5rem; box-shadow: var(--shadow); }
h1 { font-size: 1.25rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.625rem 0.75rem 0.625rem 0; border-top: 1px solid var(--line); text-align: start; vertical-align: top; }
.code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
`;

const rowOf = ([number, words]: readonly [string, string]) =>
  `<tr><th scope="row" class="code">${escapeHtml(number)}</th><td>${escapeHtml(words)}</td></tr>`;

export function banksPage(): Page {
  const lives = Object.entries(specialLives).map(([number, { words }]) => [number, words] as const);
  const rows = [
    ...lives,
    [unknownAccount, 'No bank knows this account.'] as const,
    ['Any other', 'It arrives after 5 seconds.'] as const,
  ];
  const title = `Bank accounts of ${productName}’s sandbox`;
  const body = `<main>
<h1>${escapeHtml(title)}</h1>
<p>Play money: no bank is told anything. The number of an account decides how a payout to it goes.</p>
<table><tbody>${rows.map(rowOf).join('')}</tbody></table>
<p>Banks: ${escapeHtml(sandboxBanks.map(({ name, code }) => `${name} (${code})`).join(', '))}.</p>
</main>`;
  return writePage({ title, style, body, forms: "'none'" });
}
