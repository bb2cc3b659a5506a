import { describe, expect, it } from 'vitest';
import { laneOf } from '#domain/operation.ts';
import { type Failure, outcomeOf, sentenceOfFailure } from '#domain/outcome.ts';

const failure = (kind: Failure['kind'], status: number, code = '', message = ''): Failure => ({
  kind,
  status,
  code,
  message,
});

describe('an answer to an operation', () => {
  it.each<[ReturnType<typeof outcomeOf>, Failure['kind'], string, number[]]>([
    ['retry', 'http', '', [408, 425, 429, 500, 502, 503, 504]],
    ['rejected', 'http', '', [400, 403, 404, 409, 410, 412, 422]],
    // The first attempt is in flight.
    ['retry', 'http', 'in_progress', [409]],
    // It is sent after the update.
    ['retry', 'http', 'app_outdated', [410]],
    ['signedOut', 'http', '', [401]],
    ['retry', 'network', '', [0]],
    ['retry', 'timeout', '', [0]],
    ['retry', 'malformed', '', [0, 404]],
  ])('is %s: %s %s %j', (outcome, kind, code, statuses) => {
    for (const status of statuses) expect(outcomeOf(failure(kind, status, code))).toBe(outcome);
  });
});

describe('the message for a call that is never queued', () => {
  const said = { needsNetwork: 'No network', otherwise: 'Failed' };

  it.each([
    ['no answer', failure('network', 0, '', 'Not reached.'), 'No network'],
    ['too late an answer', failure('timeout', 0, '', 'Too long.'), 'No network'],
    ['the page of a Wi-Fi', failure('malformed', 200, '', 'Not ours.'), 'No network'],
    ['a block page', failure('malformed', 403, '', 'Not ours.'), 'No network'],
    ['a 500 without a message', failure('malformed', 500, '', 'Not ours.'), 'Failed'],
    ['a gateway’s page', failure('malformed', 502, '', 'Not ours.'), 'Failed'],
    ['a 500 of ours without a message', failure('http', 500), 'Failed'],
    ['the server’s words', failure('http', 422, '', 'Too short.'), 'Too short.'],
    ['no failure of a call', null, 'Failed'],
  ])('%s', (_, failed, sentence) => {
    expect(sentenceOfFailure(failed, said)).toBe(sentence);
  });
});

it('lanes are separate for a package and a user with the same id', () => {
  expect(laneOf({ name: 'editPackage', targetId: 'x' })).toBe(
    laneOf({ name: 'acceptPackage', targetId: 'x' }),
  );
  expect(laneOf({ name: 'editProfile', targetId: 'x' })).not.toBe(
    laneOf({ name: 'editPackage', targetId: 'x' }),
  );
});
