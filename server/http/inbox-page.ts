/** What the sandboxes would have sent. Plain HTML, no scripts. */
import { productName } from '#contract/version.ts';
import { formatDate } from '#domain/dates.ts';
import { escapeHtml, type Page, writePage } from './page.ts';

const style = `
body { display: grid; justify-items: center; align-content: start; min-height: 100vh; min-height: 100dvh; padding: 1rem; }
main { width: 100%; max-width: 26rem; overflow: hidden; background: var(--surface); border: 1px solid var(--line); border-radius: 1.5rem; box-shadow: var(--shadow); }
.play { padding: 0.75rem 1.25rem; background: var(--accent); color: var(--on-accent); font-size: 0.9375rem; line-height: 1.4; }
.play strong { display: block; font-size: 1.0625rem; font-weight: 800; }
.content { display: grid; gap: 1rem; padding: 1.25rem; }
header { display: flex; align-items: center; gap: 0.75rem; }
header img { flex: none; border-radius: 0.75rem; }
h1 { font-size: 1.25rem; }
ol { display: grid; gap: 1rem; margin: 0; padding: 0; list-style: none; }
li p { margin-top: 0.25rem; padding: 0.75rem 1rem; border-radius: 0.25rem 1rem 1rem; background: var(--primary-faint); white-space: pre-line; }
.about { color: var(--ink-soft); font-size: 0.9375rem; }
.subject { display: block; font-weight: 700; }
`;

/** An address in a message can be tapped, as on a phone. */
function withLinks(body: string): string {
  return body
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => {
      const text = escapeHtml(part);
      return index % 2 === 1 ? `<a href="${text}">${text}</a>` : text;
    })
    .join('');
}

interface Entry {
  /** 'Kaya to 0805 765 4321' */
  about: string;
  at: Date;
  subject?: string;
  body: string;
}

function entryOf({ about, at, subject, body }: Entry): string {
  const when = at.toISOString();
  const head = subject === undefined ? '' : `<span class="subject">${escapeHtml(subject)}</span>\n`;
  return `<li>
${head}<span class="about">${escapeHtml(about)} · <time datetime="${when}">${formatDate(when, '')}</time></span>
<p>${withLinks(body)}</p>
</li>`;
}

interface Inbox {
  /** 'Messages' */
  what: string;
  /** 'Sandbox – no real messages' */
  warning: string;
  explanation: string;
  ifEmpty: string;
  /** Newest first. */
  entries: readonly Entry[];
}

export function inboxPage({ what, warning, explanation, ifEmpty, entries }: Inbox): Page {
  const list =
    entries.length === 0
      ? `<p>${escapeHtml(ifEmpty)}</p>`
      : `<ol>\n${entries.map(entryOf).join('\n')}\n</ol>`;
  const title = `${what} by ${productName}`;
  const body = `<main>
<p class="play"><strong>${escapeHtml(warning)}</strong> ${escapeHtml(explanation)}</p>
<div class="content">
<header><img src="/icons/mark.svg" alt="" width="44" height="44"><h1>${escapeHtml(title)}</h1></header>
${list}
</div>
</main>`;
  return writePage({ title, style, body, forms: "'none'" });
}
