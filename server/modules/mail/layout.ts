/**
 * A letter as text and as HTML. Mail programs know little CSS: colours stand in the elements, for those
 * that drop the style, and again in it for the dark.
 */
import { productName } from '#contract/version.ts';
import { escapeHtml } from '#server/http/page.ts';
import type { Letter } from './words.ts';

export function textOf({ sentences, button, after }: Letter): string {
  return [...sentences, button.link, ...after].join('\n\n');
}

const style = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background-color: #0c0b1b !important; }
  .sheet { background-color: #1e1c39 !important; }
  .ink { color: #f5f0e5 !important; }
  .soft { color: #bfb9d0 !important; }
  .button { background-color: #bdbcff !important; color: #17153c !important; }
}`;

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;";

const paragraph = (kind: 'ink' | 'soft', look: string) => (text: string) =>
  `<p class="${kind}" style="margin:0 0 16px;${look}">${escapeHtml(text)}</p>`;
const sentence = paragraph('ink', 'font-size:17px;line-height:1.5;color:#1d1a33;');
const remark = paragraph('soft', 'font-size:15px;line-height:1.5;color:#565068;');

export function htmlOf({ subject, sentences, button, after }: Letter): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${style}</style>
</head>
<body class="ground" style="margin:0;padding:0;background-color:#efe6d5;${font}">
<div class="ground" style="background-color:#efe6d5;padding:24px 12px;">
<div class="sheet" style="max-width:480px;margin:0 auto;padding:24px 20px 8px;background-color:#ffffff;border-radius:16px;">
<p class="soft" style="margin:0 0 8px;font-size:15px;font-weight:700;color:#565068;">${escapeHtml(productName)}</p>
<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:1.25;color:#1d1a33;">${escapeHtml(subject)}</h1>
${sentences.map(sentence).join('\n')}
<p style="margin:8px 0 24px;"><a class="button" href="${escapeHtml(button.link)}" style="display:block;padding:14px 20px;border-radius:12px;background-color:#2e2f86;color:#ffffff;font-size:17px;font-weight:700;line-height:1.25;text-align:center;text-decoration:none;">${escapeHtml(button.label)}</a></p>
${after.map(remark).join('\n')}
</div>
</div>
</body>
</html>
`;
}
