import { ApiFailure } from '#api/failure.ts';
import type { Send } from './sender.ts';

function isGone(error: unknown): boolean {
  if (!(error instanceof ApiFailure) || error.failure.kind !== 'http') return false;
  return error.failure.status === 404 || error.failure.status === 410;
}

/**
 * A package that is gone already is what the person wanted, whoever removed it: 404 and 410 are
 * done here, not a refusal (elsewhere they are one). Only its sender and admins can delete, and
 * they always see it, so 404 cannot mean 'not yours to see' to the one who was offered the button.
 */
export const sendDeletePackage: Send<'deletePackage'> = async (api, { id, targetId }) => {
  try {
    await api.deletePackage(targetId, id);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  return { kind: 'packageGone', id: targetId };
};
