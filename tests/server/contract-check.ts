/**
 * Checks an answer against the contract: a success matches its route's schema without extra fields
 * and has the headers common to the API; a refusal has a code of the catalogue and its status.
 * Applies to every request of the server tests.
 */
import * as v from 'valibot';
import { errorBodySchema } from '#contract/error-body.ts';
import { isErrorCode } from '#contract/errors.ts';
import { type Route, routes } from '#contract/routes.ts';
import { errorCatalogue } from '#server/http/error-catalogue.ts';
import { answerSchema, compileStrict, operations } from '#tests/contract/open-api.ts';

interface Checked {
  route: Route;
  pattern: RegExp;
  /** Null: the answer is bytes. */
  complaintOf: ((value: unknown) => string) | null;
}

const table: Checked[] = Object.entries(routes as Record<string, Route>).map(([name, route]) => {
  const operation = operations.find(({ operationId }) => operationId === name);
  const schema = operation && answerSchema(operation);
  if (!schema && !route.gives) throw new Error(`The document has no answer of ${name}.`);
  const pattern = new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`);
  return { route, pattern, complaintOf: schema ? compileStrict(schema) : null };
});

const complaintOfError = compileStrict({ $ref: '#/components/schemas/Error' });

/** The matching route; a static path takes precedence over one with parameters. */
function routeOf(method: string, url: string): Checked | undefined {
  const path = url.split('?', 1)[0] ?? '';
  const found = table.filter(({ route, pattern }) => route.method === method && pattern.test(path));
  return found.find(({ route }) => !route.path.includes(':')) ?? found[0];
}

function readJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${what}: no JSON: ${text.slice(0, 200)}`);
  }
}

const commonHeaders = {
  'content-type': /^application\/json; charset=utf-8$/,
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /frame-ancestors 'none'/,
  'x-request-id': /^[0-9a-f-]{36}$/,
  'x-powered-by': /^undefined$/,
};

export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
}

function checkError(what: string, { status, text }: RawAnswer): void {
  const body = v.parse(errorBodySchema, readJson(text, what));
  const { code } = body;
  if (!isErrorCode(code)) throw new Error(`${what}: unknown code ${code}`);
  if (errorCatalogue[code].status !== status) {
    throw new Error(`${what}: ${code} came with ${status}`);
  }
  if (body.message === '') throw new Error(`${what}: ${code} has no message`);
  const complaint = complaintOfError(JSON.parse(text));
  if (complaint) throw new Error(`${what}: ${complaint}`);
}

/** Throws if the answer breaks the contract. Ignores paths outside the API. */
export function checkAnswer(method: string, url: string, answer: RawAnswer): void {
  const what = `${method} ${url.slice(0, 120)} → ${answer.status}`;
  if (method === 'HEAD' || !/^\/api(\/|\?|$)/.test(url)) return;
  const found = routeOf(method, url);
  const isPicture = found?.complaintOf === null && answer.status === 200;
  if (answer.headers['cache-control'] !== 'no-store' && !isPicture) {
    throw new Error(`${what}: may be cached`);
  }
  if (answer.status >= 400) {
    checkError(what, answer);
    return;
  }
  // Documentation, events and the sandbox's pages are not in the table.
  if (!found) return;
  if (answer.status !== found.route.status) throw new Error(`${what}: not ${found.route.status}`);
  for (const [header, value] of Object.entries(commonHeaders)) {
    if (isPicture && header === 'content-type') continue;
    const sent = answer.headers[header];
    if (!value.test(String(sent))) throw new Error(`${what}: ${header}: ${sent}`);
  }
  if (found.complaintOf === null) return;
  const body = readJson(answer.text, what);
  v.parse(found.route.answer, body);
  const complaint = found.complaintOf(body);
  if (complaint) throw new Error(`${what}: ${complaint} in ${answer.text.slice(0, 500)}`);
}
