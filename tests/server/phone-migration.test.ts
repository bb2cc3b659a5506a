/** Numbers of before are read by the migration as the app reads them (contract/phone). */
import { readFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { expect, it } from 'vitest';
import { readPhone } from '#contract/phone.ts';

const written = [
  ...['0803 123 4567', '08031234567', '803 123 4567', '+234 803 123 4567', '+234 (0) 803 123 4567'],
  ...['00234 803 123 4567', '2348031234567', '+2340 803 123 4567', '234 0803 123 4567'],
  ...[
    '+ 44 7911 123456',
    '044 7911 123456',
    '+1 803 123 4567',
    '(+65) 8123 4567',
    '+(65) 8123 4567',
  ],
  ...['0803 123 456 ext 7', '+44 7911 123456 x5', '0803 123 4567 Musa', '08031234567/08029999999'],
  ...['2341234567', '02341234567', '+234 234 123 4567', '0012345678', '+2348031234'],
  ...['', 'none', '+', '0803–123–4567', '٠٨٠٣١٢٣٤٥٦٧', '\t+65 8123 4567', '0803/123/4567'],
];

it('reads each as the app does, and leaves what is no number', async () => {
  const sql = readFileSync('server/migrations/0014_recipient.sql', 'utf8');
  const [reading] = /CREATE FUNCTION[\s\S]*?\$\$;/.exec(sql) ?? [];
  const db = new PGlite();
  await db.exec(reading ?? '');
  const { rows } = await db.query<{ read: string }>(
    'select pg_temp.e164(one) as read from unnest($1::text[]) with ordinality as all_of(one, nth) order by nth',
    [written],
  );
  await db.close();
  const pairs = (read: (text: string, at: number) => string | undefined) =>
    written.map((text, at) => [text, read(text, at)]);
  expect(pairs((_, at) => rows[at]?.read)).toEqual(pairs((text) => readPhone(text) ?? text));
});
