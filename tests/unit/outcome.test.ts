import { describe, expect, it } from 'vitest';
import { laneOf } from '#domain/operation.ts';
import { type Failure, outcomeOf, sentenceOfFailure } from '#domain/outcome.ts';

const http = (status: number, code = ''): Failure => ({ kind: 'http', status, code, message: '' });

describe('classification of an answer to an operation', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('%d is retried', (status) => {
    expect(outcomeOf(http(status))).toBe('retry');
  });

  it.each(['network', 'timeout', 'malformed'] as const)('%s is retried', (kind) => {
    expect(outcomeOf({ kind, status: 0, code: '', message: '' })).toBe('retry');
  });

  it.each([400, 403, 404, 409, 410, 412, 422])('%d is a refusal', (status) => {
    expect(outcomeOf(http(status))).toBe('rejected');
  });

  it('409 in_progress is not a refusal: the first attempt is in flight', () => {
    expect(outcomeOf(http(409, 'in_progress'))).toBe('retry');
  });

  it('410 app_outdated is not a refusal: the operation is sent after the update', () => {
    expect(outcomeOf(http(410, 'app_outdated'))).toBe('retry');
  });

  it('401 after the refresh pauses without refusing', () => {
    expect(outcomeOf(http(401))).toBe('signedOut');
  });

  it("a malformed answer is retried even with a refusal's status", () => {
    expect(outcomeOf({ ...http(404), kind: 'malformed' })).toBe('retry');
  });
});

describe('the message for a call that is never queued', () => {
  const said = { needsNetwork: 'No network', otherwise: 'Failed' };
  const failure = (kind: Failure['kind'], status: number, message = ''): Failure => ({
    ...{ kind, status, code: '', message },
  });

  it.each([
    ['no answer', failure('network', 0, 'Not reached.'), 'No network'],
    ['too late an answer', failure('timeout', 0, 'Too long.'), 'No network'],
    ['the page of a Wi-Fi', failure('malformed', 200, 'Not ours.'), 'No network'],
    ['a block page', failure('malformed', 403, 'Not ours.'), 'No network'],
    ['a 500 without a message', failure('malformed', 500, 'Not ours.'), 'Failed'],
    ['a gateway’s page', failure('malformed', 502, 'Not ours.'), 'Failed'],
    ['a 500 of ours without a message', failure('http', 500), 'Failed'],
    ['the server’s words', failure('http', 422, 'Too short.'), 'Too short.'],
    ['no failure of a call', null, 'Failed'],
  ])('%s', (_, failed, sentence) => {
    expect(sentenceOfFailure(failed, said)).toBe(sentence);
  });
});

describe('lanes', () => {
  it('are separate for a package and a user with the same id', () => {
    expect(laneOf({ name: 'editPackage', targetId: 'x' })).toBe(
      laneOf({ name: 'acceptPackage', targetId: 'x' }),
    );
    expect(laneOf({ name: 'editProfile', targetId: 'x' })).not.toBe(
      laneOf({ name: 'editPackage', targetId: 'x' }),
    );
  });
});
