import type { FastifyInstance } from 'fastify';
import { Refusal } from './refusal.ts';
import { hasNoCharacters, readUtf8 } from './utf8.ts';

/** Null: its bytes, also those behind percent signs, are not UTF-8, or not all of them characters. */
export function readForm(body: Buffer): URLSearchParams | null {
  const text = readUtf8(body);
  if (text === null) return null;
  try {
    // Throws where URLSearchParams would insert U+FFFD.
    for (const bytes of text.match(/(?:%[\da-f]{2})+/gi) ?? []) decodeURIComponent(bytes);
  } catch {
    return null;
  }
  const form = new URLSearchParams(text);
  return hasNoCharacters([...form].flat()) ? null : form;
}

/** Lets `scope` read the forms of pages: `request.body` is a URLSearchParams. */
export function readForms(scope: FastifyInstance): void {
  scope.addContentTypeParser<Buffer>(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (_, body, done) => {
      const form = readForm(body);
      if (form) done(null, form);
      else done(new Refusal('malformed'));
    },
  );
}
