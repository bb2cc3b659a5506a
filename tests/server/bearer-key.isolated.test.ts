/** Server keys are compared in constant time. */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { carriesKey } from '#server/plugins/authentication.ts';

vi.mock('node:crypto', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:crypto')>();
  return { ...original, timingSafeEqual: vi.fn(original.timingSafeEqual) };
});

const compare = vi.mocked(timingSafeEqual);
const key = 'a-key-that-only-its-owner-has';
const carrying = (authorization?: string) => ({ headers: { authorization } }) as FastifyRequest;

beforeEach(() => {
  compare.mockClear();
});

describe('a bearer key', () => {
  it.each([
    ['none', undefined, false],
    ['an empty one', 'Bearer ', false],
    ['it as a password', `Basic ${key}`, false],
    ['its beginning', `Bearer ${key.slice(0, -1)}`, false],
    ['more than it', `Bearer ${key}x`, false],
    ['itself', `Bearer ${key}`, true],
  ])('is compared in constant time: %s', (_, authorization, isCarried) => {
    expect(carriesKey(carrying(authorization), key)).toBe(isCarried);
    expect(compare).toHaveBeenCalledOnce();
    // Equal lengths: timingSafeEqual throws otherwise.
    expect(compare.mock.calls[0]?.map(({ byteLength }) => byteLength)).toEqual([32, 32]);
  });

  it('is decided by that comparison alone', () => {
    compare.mockReturnValueOnce(true);
    expect(carriesKey(carrying('Bearer another'), key)).toBe(true);
    compare.mockReturnValueOnce(false);
    expect(carriesKey(carrying(`Bearer ${key}`), key)).toBe(false);
  });
});
