/** The document as a web page: no scripts, readable on a phone, light and dark. */
import { escapeHtml, type Page, writePage } from '#server/http/page.ts';
import type { Document, Operation, Response } from './document.ts';
import type { JsonSchema } from './json-schema.ts';

const style = `
html { scroll-padding-top: 1rem; }
body { background: var(--page); }
code, pre, .path { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.9375rem; }
h1 { font-size: 1.625rem; }
h2 { margin: 2rem 0 1rem; font-size: 1.375rem; text-wrap: wrap; }
h3 { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; font-size: 1.0625rem; }
h4 { margin-top: 1rem; font-size: 0.9375rem; }
h4, .kind { color: var(--ink-soft); }
header, main { max-width: 52rem; margin: 0 auto; padding: 1rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: 1rem; list-style: none; }
nav a { display: flex; align-items: center; min-height: 2.75rem; padding: 0 1rem; border: 1.5px solid var(--control-line); border-radius: 999px; background: var(--surface); font-weight: 600; text-decoration: none; }
article { margin-bottom: 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: 0.875rem; background: var(--surface); }
article > p, article > h3 + * { margin-top: 0.5rem; }
.method { padding: 0.125rem 0.5rem; border-radius: 0.5rem; font-size: 0.8125rem; letter-spacing: 0.04em; background: var(--primary-faint); color: var(--link); }
.fields { list-style: none; }
.fields li { padding: 0.625rem 0; border-top: 1px solid var(--line); }
.fields li:first-child { border-top: 0; }
.fields code { font-weight: 650; }
.kind, .must { font-size: 0.9375rem; }
.must { color: var(--bad); }
summary { min-height: 2.75rem; line-height: 2.75rem; cursor: pointer; font-weight: 600; color: var(--link); }
pre { margin: 0 0 0.5rem; padding: 0.75rem; border-radius: 0.5rem; background: var(--page); border: 1px solid var(--line); white-space: pre-wrap; line-height: 1.5; font-size: 0.875rem; }
:target { outline: 3px solid var(--accent); outline-offset: 2px; }
section:target { outline: 0; }
`;

const proofs: Record<string, string> = {
  bearer: 'Needs an access token (Authorization: Bearer).',
  cookie: 'Reads the refresh cookie.',
  signature: "Needs the provider's signature over the body.",
};

/** 'string', 'list of Package', '"cash" or "app"': HTML. */
function typeOf(schema: JsonSchema | boolean): string {
  if (typeof schema === 'boolean') return schema ? 'anything' : 'nothing';
  if (schema.$ref !== undefined) {
    const name = escapeHtml(schema.$ref.split('/').at(-1) ?? '');
    return `<a href="#schema-${name}">${name}</a>`;
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(typeOf))].join(' or ');
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values) return values.map((each) => escapeHtml(JSON.stringify(each))).join(' or ');
  if (schema.items && !Array.isArray(schema.items)) return `list of ${typeOf(schema.items)}`;
  const words = [schema.type ?? 'anything'].flat().join(' or ');
  return escapeHtml(schema.format === undefined ? words : `${words} (${schema.format})`);
}

interface Field {
  name: string;
  /** HTML */
  kind: string;
  isRequired?: boolean;
  words?: string | undefined;
}

function fieldList(fields: Field[]): string {
  const items = fields.map(({ name, kind, isRequired, words }) => {
    const must = isRequired ? ' <span class="must">required</span>' : '';
    const text = words ? `<p>${escapeHtml(words)}</p>` : '';
    return `<li><code>${escapeHtml(name)}</code> <span class="kind">${kind}</span>${must}${text}</li>`;
  });
  return `<ul class="fields">${items.join('')}</ul>`;
}

/** The fields of an object, or the type of anything else; then all of it as JSON Schema. */
function schemaBlock(schema: JsonSchema): string {
  const { properties, required = [] } = schema;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => ({
    name,
    kind: typeOf(field),
    isRequired: required.includes(name),
    words: typeof field === 'boolean' ? undefined : field.description,
  }));
  const shown = properties ? fieldList(fields) : `<p class="kind">${typeOf(schema)}</p>`;
  return `${shown}<details><summary>As JSON Schema</summary><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>`;
}

const folded = (title: string, schema: JsonSchema) =>
  `<details><summary>${escapeHtml(title)}</summary>${schemaBlock(schema)}</details>`;

function answerBlock([status, answer]: [string, Response | { $ref: string }]): string {
  if (!('content' in answer) || status === 'default') return '';
  return Object.entries(answer.content ?? {})
    .map(([type, { schema }]) => folded(`Answer ${status}, ${type}`, schema))
    .join('');
}

function operationBlock(path: string, method: string, operation: Operation): string {
  const needs = operation.security.flatMap((choice) => Object.keys(choice));
  const proof = needs.map((name) => proofs[name] ?? name).join(' ') || 'Open to everybody.';
  const body = operation.requestBody?.content['application/json'];
  const parameters = operation.parameters.map(({ name, in: place, schema, ...about }) => ({
    name,
    kind: `${place}, ${typeOf(schema)}`,
    isRequired: about.required,
    words: about.description ?? schema.description,
  }));
  return `<article id="${escapeHtml(operation.operationId)}">
<h3><span class="method">${escapeHtml(method.toUpperCase())}</span> <span class="path">${escapeHtml(path)}</span></h3>
<p>${escapeHtml(operation.summary)}.</p>
<p>${escapeHtml(operation.description ?? '')}</p>
<p class="kind">${escapeHtml(proof)}</p>
${parameters.length > 0 ? `<h4>Parameters</h4>${fieldList(parameters)}` : ''}
${body ? folded('Body', body.schema) : ''}
${Object.entries(operation.responses).map(answerBlock).join('')}
</article>`;
}

/** Everything that comes from the document is escaped. */
export function pageOf(document: Document): Page {
  const { info, paths, tags, components } = document;
  const title = `${info.title} API`;
  const section = (id: string, heading: string, blocks: string[]) =>
    `<section id="${escapeHtml(id)}"><h2>${escapeHtml(heading)}</h2>${blocks.join('')}</section>`;
  const link = (href: string, text: string) =>
    `<li><a href="${escapeHtml(href)}">${escapeHtml(text)}</a></li>`;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const calls = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    const blocks = own.map((one) => operationBlock(one.path, one.method, one.operation));
    return section(`tag-${name}`, description, blocks);
  });
  const errors = Object.entries(document['x-error-catalogue']).map(
    ([name, { status, message }]) => ({ name, kind: String(status), words: message }),
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<article id="schema-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${schemaBlock(schema)}</article>`,
  );
  const body = `<header><h1>${escapeHtml(title)}</h1><p>${escapeHtml(info.description)}</p>
<nav aria-label="Parts"><ul>${tags.map(({ name }) => link(`#tag-${name}`, name)).join('')}
${link('#errors', 'errors')}${link('#schemas', 'schemas')}${link('/api/docs/openapi.json', 'openapi.json')}</ul></nav></header>
<main>${calls.join('')}
${section('errors', 'Errors', [`<article>${fieldList(errors)}</article>`])}
${section('schemas', 'Schemas', schemas)}
</main>`;
  return writePage({ title, style, body, forms: "'none'" });
}
