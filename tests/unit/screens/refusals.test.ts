import { describe, expect, it } from 'vitest';
import type { Operation } from '#domain/operation.ts';
import type { OperationName } from '#domain/operation-names.ts';
import { refusalOf } from '#features/outbox/subject.ts';

const refused = (name: OperationName, code = '', message = '') =>
  ({ name, lastError: message ? { code, message, status: 409, at: '' } : null }) as Operation;

describe('the toast for a refused action', () => {
  it.each([
    [refused('createPackage', 'x', 'y'), 'Failed to create package. Please try again.'],
    [refused('acceptPackage', 'x', 'y'), 'Failed to accept package. Please try again.'],
    [
      refused('acceptPackage', 'already_assigned', 'This package has already been assigned'),
      'This package has already been assigned',
    ],
    [refused('rejectDelivery', 'x', 'Too late'), 'Failed to reject delivery: Too late'],
    [refused('rejectDelivery'), 'Failed to reject delivery: Please try again'],
    [refused('deletePackage'), 'Failed to delete package: Please try again'],
    [refused('editPackage'), 'Update failed'],
    [refused('editProfile', 'x', 'No such user'), 'No such user'],
    [refused('editProfile'), 'Failed to update user'],
  ])('%o', (operation, sentence) => {
    expect(refusalOf(operation)).toBe(sentence);
  });
});
