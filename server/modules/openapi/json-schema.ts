/**
 * A valibot schema as JSON Schema 2020-12, OpenAPI 3.1's dialect. Rules it cannot express (calendar
 * days, control characters, kobo) are in the description; a valid document may thus still get a
 * 422.
 */
import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { dateTimeSchema, limits, phoneSchema, phoneTimeSchema } from '#contract/fields.ts';

export type { JsonSchema };

export type Definitions = Record<string, GenericSchema>;

const uuidPattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

const momentSince = (year: number): JsonSchema => ({
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})?)?$',
  description: `From ${year} to 2199; without a zone it is Nigeria's time.`,
  examples: ['2026-11-21T14:30:00Z'],
});
const phone: JsonSchema = {
  type: 'string',
  maxLength: limits.phone,
  pattern: '^\\+?[\\d\\s().\\-/]+$',
  description: 'E.164, or a Nigerian number; other spellings that people use are read too.',
  examples: ['+2348031234567', '0803 123 4567'],
};
/** A pipe is visited item by item; its first item identifies it. */
const known = new Map<unknown, JsonSchema>([
  [phoneSchema.pipe[0], phone],
  [dateTimeSchema.pipe[0], momentSince(2000)],
  [phoneTimeSchema.pipe[0], momentSince(1969)],
]);

const silent: ReadonlySet<string> = new Set(['trim', 'to_lower_case', 'clean']);

function describedBy(jsonSchema: JsonSchema, sentence: unknown): JsonSchema {
  if (typeof sentence !== 'string') return jsonSchema;
  const description = [jsonSchema.description, sentence].filter(Boolean).join(' ');
  return { ...jsonSchema, description };
}

const overrides: ConversionConfig = {
  target: 'draft-2020-12',
  overrideSchema: ({ valibotSchema }) => known.get(valibotSchema) ?? null,
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (silent.has(valibotAction.type)) return jsonSchema;
    // RFC 9562's format also allows 'urn:uuid:', which the server refuses.
    if (valibotAction.type === 'uuid') {
      return { ...jsonSchema, format: 'uuid', pattern: uuidPattern };
    }
    if (valibotAction.type === 'check' && 'message' in valibotAction) {
      return describedBy(jsonSchema, valibotAction.message);
    }
    return null;
  },
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

function withoutFrame({ $schema: _, $defs: __, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** The schema of a request. */
export function inputShape(schema: GenericSchema): JsonSchema {
  return withoutFrame(toJsonSchema(schema, { ...overrides, typeMode: 'input' }));
}

/** The schema of a response; named schemas become references. */
export function outputShape(schema: GenericSchema, definitions: Definitions): JsonSchema {
  const config = { ...overrides, typeMode: 'output', definitions } as const;
  return withoutFrame(toJsonSchema(schema, config));
}

/** The named schemas, by name. */
export function outputShapes(definitions: Definitions): Record<string, JsonSchema> {
  return toJsonSchemaDefs(definitions, { ...overrides, typeMode: 'output' });
}
