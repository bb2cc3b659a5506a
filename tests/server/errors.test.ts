/** Answers to unexpected errors. */
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { Unavailable } from '#server/database/database-failure.ts';
import { addErrors } from '#server/plugins/errors.ts';

const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });

it.each([
  ['a database that is away', new Unavailable(), [503, 'unavailable', '5']],
  ['a deadlock', deadlock, [503, 'unavailable', '1']],
  ['a fault of ours', new Error('of ours'), [500, 'internal', undefined]],
])('%s', async (_, error, expected) => {
  const app = Fastify();
  addErrors(app);
  app.get('/', () => Promise.reject(error));
  const { statusCode, headers, body } = await app.inject('/');
  expect([statusCode, JSON.parse(body).code, headers['retry-after']]).toEqual(expected);
});
