import * as v from 'valibot';
import { expect, test } from 'vitest';
import { dateTimeSchema, emailSchema, noneOr, paragraph } from '#contract/fields.ts';

test.each([
  [noneOr(emailSchema), 'nobody', 'Please enter a valid email address.'],
  [noneOr(emailSchema), 'x'.repeat(300), 'Must be at most 254 characters.'],
  [
    noneOr(emailSchema),
    'a\u0007@kaya.test',
    'Must not contain control characters. Type the text again.',
  ],
  [noneOr(emailSchema), 5, 'Must be text.'],
  [
    noneOr(dateTimeSchema),
    'tomorrow',
    'Must be a date and time, for example 2026-11-21T14:30:00Z.',
  ],
  [noneOr(paragraph(10)), 'x'.repeat(11), 'Must be at most 10 characters.'],
] as const)('%# is refused with a message', (schema, value, sentence) => {
  const { success, issues } = v.safeParse(schema, value);
  expect(success).toBe(false);
  expect(issues?.[0]?.message).toBe(sentence);
});

test.each([null, '', '  '])('%j counts as empty', (value) => {
  expect(v.parse(noneOr(emailSchema), value)).toBeNull();
});
