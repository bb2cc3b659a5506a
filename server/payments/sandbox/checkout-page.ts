/** The sandbox provider's page: plain HTML, no scripts, nothing that looks like real money. */
import { formatNaira } from '#domain/money.ts';
import { productName } from '#domain/product.ts';
import { escapeHtml } from '#server/html.ts';

const style = `
:root { color-scheme: light dark; --ink: #1f1b16; --paper: #f6f1e7; --card: #fff; --indigo: #2f3a8f; --quiet: #5b5348; --line: #8b8272; }
@media (prefers-color-scheme: dark) { :root { --ink: #f3ede2; --paper: #16151c; --card: #23222c; --indigo: #a9b2ff; --quiet: #c3bbad; --line: #8b8696; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 26rem; margin: 0 auto; padding: 20px; background: var(--card); border-radius: 16px; }
.play { margin: 0 0 16px; padding: 10px 14px; background: #f5b13d; color: #241a05; border-radius: 10px; font-weight: 700; }
h1 { margin: 0 0 4px; font-size: 1.375rem; }
.amount { margin: 0 0 16px; font-size: 2rem; font-weight: 700; }
dl { margin: 0 0 20px; } dt { color: var(--quiet); } dd { margin: 0 0 8px; }
form { display: grid; gap: 12px; }
button { min-height: 48px; padding: 10px 16px; border-radius: 12px; border: 2px solid var(--line); background: transparent; color: var(--ink); font: inherit; font-weight: 600; }
button.pay { background: var(--indigo); border-color: var(--indigo); color: var(--card); }
button:focus-visible { outline: 3px solid #f5b13d; outline-offset: 2px; }
`;

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="play">Play money: this is a sandbox. No card is charged.</p>
${body}
</main>
</body>
</html>
`;
}

export interface Checkout {
  amountKobo: number;
  email: string;
  reference: string;
  isPaid: boolean;
}

/** Its form comes back to the page's own address with `decision`. */
export function checkoutPage({ amountKobo, email, reference, isPaid }: Checkout): string {
  const amount = escapeHtml(formatNaira(amountKobo));
  const choices = isPaid
    ? '<button class="pay" name="decision" value="back">Paid already: go back</button>'
    : `<button class="pay" name="decision" value="pay">Pay ${amount}</button>
<button name="decision" value="decline">Decline</button>
<button name="decision" value="abandon">Abandon</button>`;
  return page(
    `Sandbox payment to ${productName}`,
    `<h1>Sandbox payment to ${escapeHtml(productName)}</h1>
<p class="amount">${amount}</p>
<dl>
<dt>E-mail</dt><dd>${escapeHtml(email)}</dd>
<dt>Reference</dt><dd>${escapeHtml(reference)}</dd>
</dl>
<form method="post">
${choices}
</form>`,
  );
}

export function unknownPage(): string {
  return page(
    'No such payment',
    '<h1>No such payment</h1><p>This payment page does not exist.</p>',
  );
}
