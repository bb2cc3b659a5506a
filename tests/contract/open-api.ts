/** The OpenAPI document under ajv: each schema as a function that returns errors. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { routes } from '#contract/routes.ts';
import { buildDocument, type Operation } from '#server/modules/openapi/document.ts';
import type { JsonSchema } from '#server/modules/openapi/json-schema.ts';

export const document = buildDocument(routes);

/** Rejects fields the document does not name: sending them is a leak. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, closed(value)]),
  );
  const isOpen = 'properties' in inner && 'type' in inner && !('additionalProperties' in inner);
  return isOpen ? { ...inner, additionalProperties: false } : inner;
}

export function compilerOf(root: object) {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
  });
  addFormats.default(ajv);
  // An OpenAPI keyword, not a schema.
  ajv.addVocabulary(['components']);
  ajv.addSchema({ $id: 'https://kaya.test/api', components: root });
  return (schema: JsonSchema) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"https://kaya.test/api#/');
    const validate = ajv.compile(JSON.parse(text));
    /** Errors of `value`; '' if valid. */
    return (value: unknown) => (validate(value) ? '' : ajv.errorsText(validate.errors));
  };
}

/** Compiles a schema of the document unchanged. */
export const compile = compilerOf(document.components);
const compileClosed = compilerOf(closed(document.components) as object);
/** The same, rejecting fields that the schema does not name. */
export const compileStrict = (schema: JsonSchema) => compileClosed(closed(schema) as JsonSchema);

export interface Documented extends Operation {
  path: string;
  method: string;
}

export const operations: Documented[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
);

/** The JSON schema of an operation's success; undefined for a stream. */
export function answerSchema(operation: Operation): JsonSchema | undefined {
  for (const [status, response] of Object.entries(operation.responses)) {
    if (status !== 'default' && 'content' in response) {
      return response.content?.['application/json']?.schema;
    }
  }
  return undefined;
}

export function bodySchema(operation: Operation): JsonSchema | undefined {
  return operation.requestBody?.content['application/json']?.schema;
}
