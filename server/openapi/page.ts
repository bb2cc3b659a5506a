/** The document as a page for people: no scripts, readable on a phone, light and dark. */
import { escapeHtml } from '#server/html.ts';
import { type Page, writePage } from '#server/page.ts';
import type { Document, Operation, Parameter, Response } from './document.ts';
import type { JsonSchema } from './json-schema.ts';
import { fieldsOf, jsonBlock, typeOf } from './schema-html.ts';

const style = `
html { scroll-padding-top: 1rem; }
body { background: var(--page); }
code, pre, .path { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.9375rem; }
h1 { font-size: 1.625rem; }
h2 { margin: 2rem 0 1rem; font-size: 1.375rem; text-wrap: wrap; }
h4 { margin: 1rem 0 0; font-size: 0.9375rem; color: var(--ink-soft); }
.frame { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; max-width: 76rem; margin: 0 auto; padding: 1rem; }
.lead { margin-top: 0.5rem; color: var(--ink-soft); }
nav { margin-top: 1rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.5rem; list-style: none; }
nav a { display: flex; align-items: center; min-height: 2.75rem; padding: 0 1rem; border: 1.5px solid var(--control-line); border-radius: 999px; background: var(--surface); font-weight: 600; text-decoration: none; }
nav .calls { display: none; }
article { margin-bottom: 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: 0.875rem; background: var(--surface); }
article > p, article > h3 + * { margin-top: 0.5rem; }
h3 { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; font-size: 1.0625rem; }
.method { padding: 0.125rem 0.5rem; border-radius: 0.5rem; font-size: 0.8125rem; letter-spacing: 0.04em; background: var(--primary-faint); color: var(--link); }
.method.get { background: var(--good-faint); color: var(--good); }
.method.patch { background: var(--warn-faint); color: var(--warn); }
.method.delete { background: var(--bad-faint); color: var(--bad); }
.path { font-size: 1rem; }
.proof { color: var(--ink-soft); font-size: 0.9375rem; }
.fields { list-style: none; }
.fields li { padding: 0.625rem 0; border-top: 1px solid var(--line); }
.fields li:first-child { border-top: 0; padding-top: 0.25rem; }
.fields code { font-weight: 650; }
.kind { color: var(--ink-soft); font-size: 0.9375rem; }
.must { color: var(--bad); font-size: 0.9375rem; }
.status { display: inline-block; min-width: 2.5rem; font-variant-numeric: tabular-nums; font-weight: 650; }
summary { display: flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; cursor: pointer; font-weight: 600; color: var(--link); }
summary::before { content: "▸"; } details[open] > summary::before { content: "▾"; }
summary::-webkit-details-marker { display: none; }
pre { margin: 0 0 0.5rem; padding: 0.75rem; border-radius: 0.5rem; background: var(--page); border: 1px solid var(--line); white-space: pre-wrap; line-height: 1.5; font-size: 0.875rem; }
:target { outline: 3px solid var(--accent); outline-offset: 2px; }
section:target { outline: 0; }
@media (min-width: 64rem) {
  .frame { grid-template-columns: 17rem minmax(0, 1fr); gap: 2.5rem; }
  .side { position: sticky; top: 0; align-self: start; max-height: 100vh; padding: 0.5rem; margin: -0.5rem; overflow: auto; }
  nav > ul { display: block; }
  nav > ul > li { padding: 0.25rem 0; }
  nav a { min-height: 2rem; padding: 0 0.5rem; border: 0; background: none; }
  nav a:hover { text-decoration: underline; }
  nav .calls { display: block; }
  nav .calls a { padding-left: 1.25rem; font-size: 0.9375rem; font-weight: 400; color: var(--ink); }
  main { max-width: 52rem; }
  main section:first-child h2 { margin-top: 0; }
}
@media (min-width: 64rem) and (pointer: coarse) { nav a { min-height: 2.75rem; } }
`;

const proofs: Record<string, string> = {
  bearer: 'Needs an access token (Authorization: Bearer).',
  cookie: 'Reads the refresh cookie.',
  signature: "Needs the provider's signature over the body.",
};

const placeWords: Record<Parameter['in'], string> = {
  path: 'in the path',
  query: 'in the query',
  header: 'a header',
};

function folded(title: string, content: string): string {
  return `<details><summary>${escapeHtml(title)}</summary>${content}</details>`;
}

function parameterItem({ name, in: place, required, description, schema }: Parameter): string {
  const words = description ?? schema.description ?? '';
  const must = required ? ' <span class="must">required</span>' : '';
  return `<li><code>${escapeHtml(name)}</code> <span class="kind">${placeWords[place]}, ${typeOf(schema)}</span>${must}${words ? `<p>${escapeHtml(words)}</p>` : ''}</li>`;
}

function parameterList(parameters: Parameter[]): string {
  if (parameters.length === 0) return '';
  return `<h4>Parameters</h4><ul class="fields">${parameters.map(parameterItem).join('')}</ul>`;
}

function schemaBlock(title: string, schema: JsonSchema): string {
  return folded(title, `${fieldsOf(schema)}${folded('As JSON Schema', jsonBlock(schema))}`);
}

/** A named schema alone is a link to where it stands; anything else is shown here. */
function answerBlock([status, answer]: [string, Response | { $ref: string }]): string {
  if (!('content' in answer) || status === 'default') return '';
  return Object.entries(answer.content ?? {})
    .map(([type, { schema }]) =>
      schema.properties || schema.anyOf
        ? schemaBlock(`Answer ${status}, ${type}`, schema)
        : `<p class="kind">Answer ${escapeHtml(status)}, ${escapeHtml(type)}: ${typeOf(schema)}</p>`,
    )
    .join('');
}

function operationBlock(path: string, method: string, operation: Operation): string {
  const needs = operation.security.flatMap((choice) => Object.keys(choice));
  const body = operation.requestBody?.content['application/json'];
  const proof = needs.map((name) => proofs[name] ?? name).join(' ') || 'Open to everybody.';
  return `<article id="${escapeHtml(operation.operationId)}">
<h3><span class="method ${escapeHtml(method)}">${escapeHtml(method.toUpperCase())}</span> <span class="path">${escapeHtml(path)}</span></h3>
<p>${escapeHtml(operation.summary)}.</p>
${operation.description ? `<p>${escapeHtml(operation.description)}</p>` : ''}
<p class="proof">${escapeHtml(proof)}</p>
${parameterList(operation.parameters)}
${body ? schemaBlock('Body', body.schema) : ''}
${Object.entries(operation.responses).map(answerBlock).join('')}
</article>`;
}

type Tag = Document['tags'][number];

function operationsOf({ name }: Tag, document: Document) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(name))
      .map(([method, operation]) => ({ path, method, operation })),
  );
}

function tagSection(tag: Tag, document: Document): string {
  const blocks = operationsOf(tag, document).map(({ path, method, operation }) =>
    operationBlock(path, method, operation),
  );
  return `<section id="tag-${escapeHtml(tag.name)}"><h2>${escapeHtml(tag.description)}</h2>${blocks.join('')}</section>`;
}

function tagLinks(tag: Tag, document: Document): string {
  const calls = operationsOf(tag, document).map(
    ({ operation: { operationId: id } }) =>
      `<li><a href="#${escapeHtml(id)}">${escapeHtml(id)}</a></li>`,
  );
  const name = escapeHtml(tag.name);
  return `<li><a href="#tag-${name}">${name}</a><ul class="calls">${calls.join('')}</ul></li>`;
}

function errorList(catalogue: Document['x-error-catalogue']): string {
  const items = Object.entries(catalogue).map(
    ([code, { status, message }]) =>
      `<li><span class="status">${status}</span> <code>${escapeHtml(code)}</code><p>${escapeHtml(message)}</p></li>`,
  );
  return `<article><ul class="fields">${items.join('')}</ul></article>`;
}

function schemaArticle([name, schema]: [string, JsonSchema]): string {
  return `<article id="schema-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${fieldsOf(schema)}${folded('As JSON Schema', jsonBlock(schema))}</article>`;
}

/** The whole page. Everything that comes from the document is escaped. */
export function pageOf(document: Document): Page {
  const { title, description } = document.info;
  const schemas = Object.entries(document.components.schemas);
  const body = `<div class="frame">
<header class="side"><h1>${escapeHtml(title)} API</h1><p class="lead">${escapeHtml(description)}</p>
<nav aria-label="Parts"><ul>${document.tags.map((tag) => tagLinks(tag, document)).join('')}
<li><a href="#errors">errors</a></li><li><a href="#schemas">schemas</a></li><li><a href="/api/docs/openapi.json">openapi.json</a></li></ul></nav></header>
<main>${document.tags.map((tag) => tagSection(tag, document)).join('')}
<section id="errors"><h2>Errors</h2>${errorList(document['x-error-catalogue'])}</section>
<section id="schemas"><h2>Schemas</h2>${schemas.map(schemaArticle).join('')}</section>
</main>
</div>`;
  return writePage({ title: `${title} API`, style, body, forms: "'none'" });
}
