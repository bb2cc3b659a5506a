/** The sandbox's phone: what recipients would have got. Plain HTML, no scripts. */
import { productName } from '#contract/version.ts';
import { showPhone } from '#domain/contact-links.ts';
import { formatDate } from '#domain/dates.ts';
import { escapeHtml, type Page, writePage } from '#server/http/page.ts';
import type { SandboxText } from './repository.ts';

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
li p { margin-top: 0.25rem; padding: 0.75rem 1rem; border-radius: 0.25rem 1rem 1rem; background: var(--primary-faint); }
.about { color: var(--ink-soft); font-size: 0.9375rem; }
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

function entryOf({ recipient, sender, body, at }: SandboxText): string {
  const when = at.toISOString();
  return `<li>
<span class="about">${escapeHtml(sender)} to ${escapeHtml(showPhone(recipient))} · <time datetime="${when}">${formatDate(when, '')}</time></span>
<p>${withLinks(body)}</p>
</li>`;
}

/** Newest first. */
export function phonePage(texts: readonly SandboxText[]): Page {
  const list =
    texts.length === 0
      ? '<p>No messages yet. Pick up a package to send the first.</p>'
      : `<ol>\n${texts.map(entryOf).join('\n')}\n</ol>`;
  const body = `<main>
<p class="play"><strong>Sandbox – no real messages</strong> What recipients would get on their phones.</p>
<div class="content">
<header><img src="/icons/mark.svg" alt="" width="44" height="44"><h1>Messages by ${escapeHtml(productName)}</h1></header>
${list}
</div>
</main>`;
  return writePage({ title: `Messages by ${productName}`, style, body, forms: "'none'" });
}
