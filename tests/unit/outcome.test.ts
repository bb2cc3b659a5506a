import { describe, expect, it } from 'vitest';
import { laneOf } from '#domain/operation.ts';
import { type Failure, outcomeOf } from '#domain/outcome.ts';

const http = (status: number, code = ''): Failure => ({ kind: 'http', status, code, message: '' });

describe('what an answer means for an operation', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('%d is tried again', (status) => {
    expect(outcomeOf(http(status))).toBe('retry');
  });

  it.each(['network', 'timeout', 'malformed'] as const)('%s is tried again', (kind) => {
    expect(outcomeOf({ kind, status: 0, code: '', message: '' })).toBe('retry');
  });

  it.each([400, 403, 404, 409, 410, 412, 422])('%d is a refusal', (status) => {
    expect(outcomeOf(http(status))).toBe('rejected');
  });

  it('409 in_progress is not a refusal: the first try is still on its way', () => {
    expect(outcomeOf(http(409, 'in_progress'))).toBe('retry');
  });

  it('410 app_outdated is not a refusal: it goes out after the update', () => {
    expect(outcomeOf(http(410, 'app_outdated'))).toBe('retry');
  });

  it('401 after the refresh pauses, and refuses nothing', () => {
    expect(outcomeOf(http(401))).toBe('signedOut');
  });

  it('a malformed answer is tried again even under a status that refuses', () => {
    expect(outcomeOf({ ...http(404), kind: 'malformed' })).toBe('retry');
  });
});

describe('lanes', () => {
  it('keep a package and a user apart even where ids agree', () => {
    expect(laneOf({ name: 'editPackage', targetId: 'x' })).toBe(
      laneOf({ name: 'acceptPackage', targetId: 'x' }),
    );
    expect(laneOf({ name: 'editProfile', targetId: 'x' })).not.toBe(
      laneOf({ name: 'editPackage', targetId: 'x' }),
    );
  });
});
