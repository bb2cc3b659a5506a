/**
 * Server-rendered pages: the recipient's, the sandbox's checkout and /api/docs. Their
 * Content-Security-Policy allows only the page's own styles, by hash, and no scripts, except where a
 * page has `live` ones.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const look = `
:root {
  color-scheme: light dark;
  --ground: #efe6d5; --page: #faf6ee; --surface: #fff; --line: #dccfb8; --control-line: #8a8175;
  --ink: #1d1a33; --ink-soft: #565068; --primary: #2e2f86; --primary-strong: #22236a; --on-primary: #fff; --primary-faint: #e9e8f8;
  --link: #2e2f86; --accent: #f5a81c; --on-accent: #2b1c00; --good: #14603a; --good-faint: #dcf1e3;
  --warn: #744600; --warn-faint: #fdebc6; --bad: #a31e18; --bad-faint: #fde5e2;
  --shadow: 0 1px 2px rgb(29 26 51 / 8%), 0 6px 20px rgb(29 26 51 / 10%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0c0b1b; --page: #141328; --surface: #1e1c39; --line: #37345a; --control-line: #8d88ab;
    --ink: #f5f0e5; --ink-soft: #bfb9d0; --primary: #bdbcff; --primary-strong: #d5d4ff; --on-primary: #17153c; --primary-faint: #2c2a55;
    --link: #c7c6ff; --accent: #ffbe4d; --good: #96e3b4; --good-faint: #12351f;
    --warn: #ffd591; --warn-faint: #43310c; --bad: #ffb6ae; --bad-faint: #4b1815;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 6px 20px rgb(0 0 0 / 35%);
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 400 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, p, dl, dd, ul { margin: 0; padding: 0; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
a { color: var(--link); text-underline-offset: 0.2em; }
:focus-visible { outline: 3px solid var(--primary); outline-offset: 2px; }
`;

type Forms = "'self'" | "'none'";

export interface Page {
  html: string;
  policy: string;
}

interface Parts {
  title: string;
  style: string;
  /** HTML; untrusted text must be escaped already. */
  body: string;
  forms: Forms;
  /** The text's language tag; English by default. */
  language?: string;
  /** May it run Kaya's own scripts, and draw the map? `tiles`: where the map comes from. */
  live?: { tiles: readonly string[] };
}

/** The map library creates its worker from a blob, and styles its elements. */
function livePolicy({ tiles }: NonNullable<Parts['live']>): string[] {
  const alsoTiles = tiles.map((source) => ` ${source}`).join('');
  return [
    "script-src 'self'",
    "require-trusted-types-for 'script'",
    // Policies of the page's script and of the map.
    'trusted-types tracking default inert worker',
    `connect-src 'self'${alsoTiles}`,
    "worker-src 'self' blob:",
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob:${alsoTiles}`,
  ];
}

export function writePage({ title, style, body, forms, language = 'en', live }: Parts): Page {
  const whole = `${look}${style}`;
  const digest = createHash('sha256').update(whole).digest('base64');
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#efe6d5" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0c0b1b" media="(prefers-color-scheme: dark)">
<link rel="icon" href="/icons/mark.svg" type="image/svg+xml">
<title>${escapeHtml(title)}</title>
<style>${whole}</style>
</head>
<body>
${body}
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${digest}'`,
    ...(live ? livePolicy(live) : ["img-src 'self'"]),
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
  ].join(';');
  return { html, policy };
}

/** Sends the page with its own policy instead of the app's. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  { html, policy }: Omit<Page, 'html'> & { html: string | Buffer },
) {
  return reply
    .code(status)
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html);
}
