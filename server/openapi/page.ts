/** The document as a page for people: no scripts, readable on a phone, light and dark. */
import { escapeHtml } from '#server/html.ts';
import type { Document, Operation, Parameter, Response } from './document.ts';
import type { JsonSchema } from './json-schema.ts';

const style = `
:root { color-scheme: light dark; --line: #cfc8b8; --soft: #f4efe4; --ink: #1c1b2e; --accent: #2f3a8f; --page: #fdfaf3; }
@media (prefers-color-scheme: dark) {
  :root { --line: #46465c; --soft: #23233a; --ink: #eeeaf7; --accent: #aab4ff; --page: #15152a; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); overflow-wrap: anywhere; }
a { color: var(--accent); }
nav a { display: inline-block; padding: 0.75rem 1rem 0.75rem 0; }
article { border-top: 1px solid var(--line); padding: 0.5rem 0 1rem; }
h3 { margin: 0.5rem 0; font: 600 1rem/1.5 ui-monospace, monospace; }
summary { padding: 0.75rem 0; cursor: pointer; }
pre { margin: 0; padding: 0.75rem; border-radius: 0.5rem; background: var(--soft); white-space: pre-wrap; font: 0.875rem/1.5 ui-monospace, monospace; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0.5rem 0.5rem 0.5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
`;

const proofs: Record<string, string> = {
  bearer: 'Needs an access token (Authorization: Bearer).',
  cookie: 'Reads the refresh cookie.',
  signature: "Needs the provider's signature over the body.",
};

function schemaBlock(title: string, schema: JsonSchema): string {
  const text = escapeHtml(JSON.stringify(schema, null, 2));
  return `<details><summary>${escapeHtml(title)}</summary><pre>${text}</pre></details>`;
}

function parameterRow({ name, in: place, required, description, schema }: Parameter): string {
  const words = description ?? schema.description ?? '';
  return `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td>${escapeHtml(words)}</td></tr>`;
}

function parameterTable(parameters: Parameter[]): string {
  if (parameters.length === 0) return '';
  return `<table><thead><tr><th>Parameter</th><th>Where</th><th>Meaning</th></tr></thead><tbody>${parameters.map(parameterRow).join('')}</tbody></table>`;
}

function answerBlock([status, answer]: [string, Response | { $ref: string }]): string {
  if (!('content' in answer) || status === 'default') return '';
  return Object.entries(answer.content ?? {})
    .map(([type, { schema }]) => schemaBlock(`Answer ${status}, ${type}`, schema))
    .join('');
}

function operationBlock(path: string, method: string, operation: Operation): string {
  const needs = operation.security.flatMap((choice) => Object.keys(choice));
  const body = operation.requestBody?.content['application/json'];
  return `<article id="${escapeHtml(operation.operationId)}">
<h3>${escapeHtml(method.toUpperCase())} ${escapeHtml(path)}</h3>
<p>${escapeHtml(operation.summary)}. ${escapeHtml(needs.map((name) => proofs[name] ?? name).join(' ') || 'Open to everybody.')}</p>
${operation.description ? `<p>${escapeHtml(operation.description)}</p>` : ''}
${parameterTable(operation.parameters)}
${body ? schemaBlock('Body', body.schema) : ''}
${Object.entries(operation.responses).map(answerBlock).join('')}
</article>`;
}

function tagSection({ name, description }: Document['tags'][number], document: Document): string {
  const blocks = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(name))
      .map(([method, operation]) => operationBlock(path, method, operation)),
  );
  return `<section id="tag-${escapeHtml(name)}"><h2>${escapeHtml(description)}</h2>${blocks.join('')}</section>`;
}

function errorTable(catalogue: Document['x-error-catalogue']): string {
  const rows = Object.entries(catalogue).map(
    ([code, { status, message }]) =>
      `<tr><td>${status}</td><td><code>${escapeHtml(code)}</code></td><td>${escapeHtml(message)}</td></tr>`,
  );
  return `<table><thead><tr><th>Status</th><th>Code</th><th>Message</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** The whole page. Everything that comes from the document is escaped. */
export function pageOf(document: Document): string {
  const { title, description } = document.info;
  const schemas = Object.entries(document.components.schemas);
  const links = document.tags.map(
    ({ name }) => `<a href="#tag-${escapeHtml(name)}">${escapeHtml(name)}</a>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} API</title><style>${style}</style></head>
<body><header><h1>${escapeHtml(title)} API</h1><p>${escapeHtml(description)}</p>
<nav aria-label="Parts">${links.join('')}<a href="#errors">errors</a><a href="#schemas">schemas</a><a href="/api/docs/openapi.json">openapi.json</a></nav></header>
<main>${document.tags.map((tag) => tagSection(tag, document)).join('')}
<section id="errors"><h2>Errors</h2>${errorTable(document['x-error-catalogue'])}</section>
<section id="schemas"><h2>Schemas</h2>${schemas.map(([name, schema]) => schemaBlock(name, schema)).join('')}</section>
</main></body></html>
`;
}
