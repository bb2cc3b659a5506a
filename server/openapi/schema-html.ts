/** A JSON schema in words and as a list of fields; whatever it says is escaped. */
import { escapeHtml } from '#server/html.ts';
import type { JsonSchema } from './json-schema.ts';

type Schema = JsonSchema | boolean;

function namedType(reference: string): string {
  const name = escapeHtml(reference.split('/').at(-1) ?? '');
  return `<a href="#schema-${name}">${name}</a>`;
}

function alternatives(schemas: readonly Schema[]): string {
  return [...new Set(schemas.map(typeOf))].join(' or ');
}

/** 'string', 'list of Package', 'cash or app': HTML. */
export function typeOf(schema: Schema): string {
  if (typeof schema === 'boolean') return schema ? 'anything' : 'nothing';
  if (schema.$ref !== undefined) return namedType(schema.$ref);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return alternatives(options);
  if (schema.const !== undefined) return escapeHtml(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((each) => escapeHtml(JSON.stringify(each))).join(' or ');
  if (schema.items && !Array.isArray(schema.items)) return `list of ${typeOf(schema.items)}`;
  const kinds = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'anything'];
  const words = escapeHtml(kinds.join(' or '));
  return schema.format === undefined ? words : `${words} (${escapeHtml(schema.format)})`;
}

const number = new Intl.NumberFormat('en-NG');

/** '1 to 300', 'at least 1', 'at most 300', or nothing. */
function rangeOf(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) {
    return `${number.format(least)} to ${number.format(most)}`;
  }
  if (least !== undefined) return `at least ${number.format(least)}`;
  return most === undefined ? '' : `at most ${number.format(most)}`;
}

function limitsOf({ minLength, maxLength, minimum, maximum }: JsonSchema): string {
  const length = rangeOf(minLength, maxLength);
  const size = rangeOf(minimum, maximum);
  return [length && `${length} characters`, size].filter(Boolean).join(', ');
}

function fieldItem(name: string, schema: Schema, isRequired: boolean): string {
  const rules = typeof schema === 'boolean' ? '' : limitsOf(schema);
  const words = typeof schema === 'boolean' ? '' : (schema.description ?? '');
  const must = isRequired ? ' <span class="must">required</span>' : '';
  const kind = `${typeOf(schema)}${rules && `, ${escapeHtml(rules)}`}`;
  return `<li><code>${escapeHtml(name)}</code> <span class="kind">${kind}</span>${must}${words && `<p>${escapeHtml(words)}</p>`}</li>`;
}

/** The fields of an object; of anything else its type. */
export function fieldsOf(schema: JsonSchema): string {
  const { properties, required = [] } = schema;
  if (!properties) return `<p class="kind">${typeOf(schema)}</p>`;
  const items = Object.entries(properties).map(([name, field]) =>
    fieldItem(name, field, required.includes(name)),
  );
  return items.length === 0
    ? '<p class="kind">No fields.</p>'
    : `<ul class="fields">${items.join('')}</ul>`;
}

export function jsonBlock(schema: JsonSchema): string {
  return `<pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`;
}
