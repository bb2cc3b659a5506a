/** The OpenAPI 3.1 document, generated from the contract, so it cannot differ from the server. */

import { deltaPageSize, removedSchema } from '#contract/delta.ts';
import { errorBodySchema } from '#contract/error-body.ts';
import { headers } from '#contract/headers.ts';
import { packageSchema } from '#contract/package.ts';
import { paymentEntrySchema } from '#contract/payment.ts';
import type { Route } from '#contract/routes.ts';
import {
  changeEvent,
  eventsPath,
  eventsQuerySchema,
  helloEvent,
  helloSchema,
  rowsEvent,
  rowsSchema,
  streamedRemovalSchema,
} from '#contract/stream.ts';
import { partySchema, userSchema } from '#contract/user.ts';
import { productName } from '#contract/version.ts';
import { writerPattern } from '#contract/writer.ts';
import { errorCatalogue } from '#server/http/error-catalogue.ts';
import { signatureHeaders } from '#server/http/webhook.ts';
import {
  type Definitions,
  inputShape,
  type JsonSchema,
  outputShape,
  outputShapes,
} from './json-schema.ts';
import { operationNotes, operationSummaries, parameterNotes } from './notes.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

type Content = Record<string, { schema: JsonSchema }>;
type Header = { description: string; schema: JsonSchema };

export interface Response {
  description: string;
  headers?: Record<string, Header>;
  content?: Content;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response | { $ref: string }>;
}

export interface Document {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, Record<string, string>>;
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Response>;
  };
  'x-error-catalogue': typeof errorCatalogue;
}

const definitions: Definitions = {
  Package: packageSchema,
  Party: partySchema,
  PaymentEntry: paymentEntrySchema,
  Removed: removedSchema,
  StreamHello: helloSchema,
  StreamRemoval: streamedRemovalSchema,
  StreamRows: rowsSchema,
  User: userSchema,
};

const tagDescriptions: Record<string, string> = {
  auth: 'Sign-up, sign-in and sessions',
  users: 'People, their profiles and their administration',
  packages: 'Packages from offer to delivery',
  payments: 'Top-ups, balances and their history',
  payouts: 'Payouts of couriers to their bank accounts',
  events: 'What changed, as it changes',
  track: 'What a recipient sees, without an account',
};

const json = 'application/json';
const text = (description: string): Header => ({ description, schema: { type: 'string' } });

/** '/api/packages/:id' → '/api/packages/{id}' */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

const tagOf = (path: string): string => path.split('/')[2] ?? '';

const securityOf = (proof: Route['proof']): Operation['security'] =>
  proof === 'none' ? [] : [{ [proof]: [] }];

function parametersOf(place: 'path' | 'query', schema: Route['query']): Parameter[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = inputShape(schema);
  return Object.entries(properties).flatMap(([name, shape]) =>
    typeof shape === 'boolean'
      ? []
      : [
          {
            name,
            in: place,
            required: required.includes(name),
            ...(parameterNotes[name] ? { description: parameterNotes[name] } : {}),
            schema: shape,
          },
        ],
  );
}

const idempotencyKey: Parameter = {
  name: headers.idempotencyKey,
  in: 'header',
  required: false,
  description:
    'One per intent. A repeat with the same key and body does nothing again and is answered as the first was but without codes and links, with Idempotency-Replayed: true. Kept for 180 days.',
  schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
};

const outbox: Parameter = {
  name: headers.outbox,
  in: 'header',
  required: false,
  description:
    "The writer of the change: a UUID of yours that stays the same, a colon, and a number that grows with each change. A field that the same UUID has changed since, under a lower number, does not conflict with the edit's `baseVersion`.",
  schema: { type: 'string', pattern: writerPattern },
};

const digest: Parameter = {
  name: headers.contentDigest,
  in: 'header',
  required: true,
  description: 'SHA-256 of the bytes, as RFC 9530 writes it.',
  schema: { type: 'string', pattern: '^sha-256=:[A-Za-z0-9+/]{43}=:$' },
};

const deltaHeaders = {
  [headers.syncCursor]: text('Opaque: what to ask with next, as `since`.'),
  [headers.syncMore]: text(`'true' where another page (of ${deltaPageSize} rows) waits.`),
  [headers.syncReset]: text("'true' on the first page of a list that replaces all you have."),
};

const replayedHeader = { [headers.idempotencyReplayed]: text("'true' for a repeated answer.") };

/** Bytes have an id of their own, which makes a repeat harmless. */
const isMutation = ({ method, proof, takes }: Route) =>
  method !== 'GET' && proof === 'bearer' && !takes;
const isOnVersion = ({ body }: Route) =>
  body !== undefined && 'baseVersion' in (inputShape(body).properties ?? {});
const isDelta = ({ query }: Route) =>
  'since' in (query ? (inputShape(query).properties ?? {}) : {});

const bytesOf = (types: readonly string[]): Content =>
  Object.fromEntries(types.map((type) => [type, { schema: {} }]));

function bodyOf(route: Route): Operation['requestBody'] | undefined {
  if (route.takes) return { required: true, content: bytesOf(route.takes) };
  if (route.body) {
    return { required: true, content: { [json]: { schema: inputShape(route.body) } } };
  }
  // The provider defines the body; its signature covers the raw bytes.
  if (route.proof === 'signature') {
    return { required: true, content: { [json]: { schema: { type: 'object' } } } };
  }
  return undefined;
}

function operationOf(name: string, route: Route): Operation {
  const note = (operationNotes as Record<string, string | undefined>)[name];
  const summary = (operationSummaries as Record<string, string | undefined>)[name] ?? name;
  const requestBody = bodyOf(route);
  const answerHeaders = {
    ...(isMutation(route) ? replayedHeader : {}),
    ...(isDelta(route) ? deltaHeaders : {}),
  };
  return {
    operationId: name,
    summary,
    ...(note ? { description: note } : {}),
    tags: [tagOf(route.path)],
    security: securityOf(route.proof),
    parameters: [
      ...parametersOf('path', route.params),
      ...parametersOf('query', route.query),
      ...(isMutation(route) ? [idempotencyKey] : []),
      ...(isOnVersion(route) ? [outbox] : []),
      ...(route.takes ? [digest] : []),
    ],
    ...(requestBody ? { requestBody } : {}),
    responses: {
      [route.status]: {
        description: 'Done',
        ...(Object.keys(answerHeaders).length > 0 ? { headers: answerHeaders } : {}),
        content: route.gives
          ? bytesOf(route.gives)
          : { [json]: { schema: outputShape(route.answer, definitions) } },
      },
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

const events: Operation = {
  operationId: 'events',
  summary: 'Be told when something that you can see has changed',
  description: `Server-sent events. '${changeEvent}' says only that it is time to ask both lists for what changed. With \`rows=1\` the stream begins with '${helloEvent}' (StreamHello); ask \`/api/packages\` for changes, and from then on packages come as '${rowsEvent}' (StreamRows): apply a batch that begins where the one before ended, the first where '${helloEvent}' is, and ask for changes after any other, with the \`to\` of the last batch applied as \`streamed\`. '${changeEvent}' then announces users and balances, and doubts.`,
  tags: [tagOf(eventsPath)],
  security: [{ bearer: [] }],
  parameters: parametersOf('query', eventsQuerySchema),
  responses: {
    200: {
      description: 'A stream',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    default: { $ref: '#/components/responses/Error' },
  },
};

function errorShape(): JsonSchema {
  const shape = outputShape(errorBodySchema, definitions);
  const code: JsonSchema = { type: 'string', enum: Object.keys(errorCatalogue) };
  return { ...shape, properties: { ...shape.properties, code } };
}

const errorResponse: Response = {
  description: `No, and why. ${Object.entries(errorCatalogue)
    .map(([code, { status }]) => `${status} ${code}`)
    .join(', ')}.`,
  headers: { [headers.retryAfter]: text('Seconds to wait, with 429 and 503.') },
  content: { [json]: { schema: { $ref: '#/components/schemas/Error' } } },
};

/** The document of these routes, plus `/api/events`, which is not in the table. */
export function buildDocument(routes: Record<string, Route>): Document {
  const paths: Document['paths'] = {};
  const add = (path: string, method: string, operation: Operation) => {
    const template = templateOf(path);
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation };
  };
  for (const [name, route] of Object.entries(routes)) {
    add(route.path, route.method, operationOf(name, route));
  }
  add(eventsPath, 'GET', events);
  const tags = new Set(Object.keys(paths).map(tagOf));
  return {
    openapi: '3.1.0',
    info: {
      title: productName,
      version: '1',
      description:
        'Money is naira with at most two decimals. Unknown fields of a body are refused. Every refusal has a message for a person and a code for a program.',
    },
    servers: [{ url: '/' }],
    tags: [...tags].map((name) => ({ name, description: tagDescriptions[name] ?? name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-kaya_refresh',
          description: 'Over plain http `kaya_refresh`.',
        },
        signature: {
          type: 'apiKey',
          in: 'header',
          name: signatureHeaders.payments,
          description:
            "HMAC-SHA512 of the raw body with the provider's secret key, in hex; the provider of text messages sends it as X-Termii-Signature",
        },
      },
      schemas: { ...outputShapes(definitions), Error: errorShape() },
      responses: { Error: errorResponse },
    },
    'x-error-catalogue': errorCatalogue,
  };
}
