/**
 * Generates values that a JSON Schema of the document allows or nearly allows. Throws at keywords
 * the document does not use.
 */
import fc from 'fast-check';
import type { Document } from '#server/modules/openapi/document.ts';
import type { JsonSchema } from '#server/modules/openapi/json-schema.ts';

type Values = fc.Arbitrary<unknown>;

/** fast-check's strings for an expression may be long; these are the document's patterns. */
function textOf({ pattern, format, minLength = 0, maxLength }: JsonSchema): Values {
  if (format === 'uuid') return fc.uuid();
  if (pattern?.includes('\\d{4}-\\d{2}-\\d{2}')) {
    const [min, max] = [new Date('2000-01-02T00:00:00Z'), new Date('2199-12-30T00:00:00Z')];
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (pattern?.includes('@')) {
    return fc.stringMatching(/^[a-z0-9]{1,12}@[a-z0-9]{1,12}\.[a-z]{2,6}$/);
  }
  // The pattern also allows hosts that do not exist.
  if (pattern?.startsWith('^https?:')) {
    const word = fc.stringMatching(/^[a-z0-9]{3,12}$/);
    return fc.tuple(word, word).map(([host, path]) => `https://${host}.example.com/${path}`);
  }
  if (pattern?.startsWith('^\\+?')) {
    // The pattern also allows what is too short for a number.
    const number = fc.stringMatching(/^(?:0|\+234 ?)[789][01]\d{8}$/);
    return fc.oneof(
      { weight: 4, arbitrary: number },
      fc
        .stringMatching(new RegExp(pattern))
        .filter((text) => text.length <= (maxLength ?? Infinity)),
    );
  }
  if (pattern !== undefined) {
    const matching = fc.stringMatching(new RegExp(pattern), { size: 'xsmall' });
    return maxLength === undefined ? matching : matching.filter((text) => text.length <= maxLength);
  }
  const least = Math.max(1, minLength);
  const most = Math.min(maxLength ?? 60, minLength + 40);
  const plain = fc.string({ unit: 'grapheme-ascii', minLength: least, maxLength: most });
  return fc.oneof(
    { weight: 4, arbitrary: plain.map((text) => text.trim().padEnd(least, 'x')) },
    fc.constant('Kano ñ 日本 🎁'.padEnd(minLength, 'x')),
  );
}

function numberOf({ minimum = -1_000_000, maximum = 1_000_000 }: JsonSchema): Values {
  const kobo = fc.integer({ min: Math.ceil(minimum * 100), max: Math.floor(maximum * 100) });
  return kobo.map((amount) => amount / 100);
}

function objectOf(schema: JsonSchema, document: Document): Values {
  const { properties = {}, required = [], additionalProperties } = schema;
  const shape = Object.fromEntries(
    Object.entries(properties).flatMap(([name, inner]) =>
      typeof inner === 'boolean' ? [] : [[name, allowedBy(inner, document)]],
    ),
  );
  if (Object.keys(shape).length === 0 && typeof additionalProperties === 'object') {
    return fc.dictionary(fc.string({ maxLength: 8 }), allowedBy(additionalProperties, document));
  }
  return fc.record(shape, { requiredKeys: required.filter((name) => name in shape) });
}

/** Values allowed by the schema. */
export function allowedBy(schema: JsonSchema, document: Document): Values {
  const { $ref, type, anyOf } = schema;
  if ($ref !== undefined) {
    const named = document.components.schemas[$ref.split('/').at(-1) ?? ''];
    if (!named) throw new Error(`Nothing is at ${$ref}`);
    return allowedBy(named, document);
  }
  if (anyOf) {
    return fc.oneof(
      ...anyOf.flatMap((inner) => (typeof inner === 'boolean' ? [] : [allowedBy(inner, document)])),
    );
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (type === 'string') return textOf(schema);
  if (type === 'integer') {
    return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1_000_000 });
  }
  if (type === 'number') return numberOf(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array') {
    const { items, minItems = 0, maxItems = 5 } = schema;
    if (typeof items !== 'object' || Array.isArray(items)) throw new Error('A list of what?');
    return fc.uniqueArray(allowedBy(items as JsonSchema, document), {
      minLength: minItems,
      maxLength: maxItems,
      selector: (value) => JSON.stringify(value),
    });
  }
  if (type === 'object') return objectOf(schema, document);
  throw new Error(`No values for ${JSON.stringify(schema)}`);
}

/** More than PostgreSQL's `integer`, JavaScript's safe integers and `bigint` hold. */
export const largeIntegers = [2 ** 31, 2 ** 53, 1e21];

/** Any JSON value. */
export const nonsense: Values = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      null,
      '',
      ' ',
      0,
      -1,
      1e300,
      1e-300,
      true,
      [],
      {},
      [[]],
      ...largeIntegers,
      -0,
      'null',
      '1e400',
      '\n',
    ],
    ...['\u0000', '\u202e', '\ud800', 'x'.repeat(5000)],
    ...["' or 1=1 --", '../../etc/passwd', '$(id)', '__proto__'],
  ),
  fc.anything({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value ?? null) ?? 'null')),
  fc.string({ unit: 'binary', maxLength: 80 }),
);

/** An allowed value with one fault: a field changed, omitted or added. */
export function nearlyAllowedBy(schema: JsonSchema, document: Document): Values {
  const names = Object.keys(schema.properties ?? {});
  const good = allowedBy(schema, document) as fc.Arbitrary<Record<string, unknown>>;
  const name = names.length > 0 ? fc.constantFrom(...names) : fc.constant('field');
  const changed = fc
    .tuple(good, name, nonsense, fc.constantFrom(...largeIntegers))
    .map(([value, field, wrong, large]) => ({
      ...value,
      [field]: typeof value[field] === 'number' ? large : wrong,
    }));
  const lacking = fc.tuple(good, name).map(([value, field]) => {
    const { [field]: _, ...rest } = value;
    return rest;
  });
  const added = fc
    .tuple(good, fc.string({ maxLength: 12 }), nonsense)
    .map(([value, field, wrong]) => ({ ...value, [`${field}x`]: wrong }));
  return fc.oneof({ weight: 3, arbitrary: changed }, lacking, added);
}
