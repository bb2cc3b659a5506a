import { ApiFailure } from '#api/failure.ts';
import type { Send } from './sender.ts';

/** Our server's own word only: a gateway in the middle of a deploy says 404 of everything. */
function isGone(error: unknown): boolean {
  if (!(error instanceof ApiFailure) || error.failure.kind !== 'http') return false;
  return error.failure.code === 'not_found';
}

/**
 * A package that is gone already is what the person wanted, whoever removed it: `not_found` is
 * done here, not a refusal (elsewhere it is one). Only its sender and admins can delete, and
 * they always see it, so it cannot mean 'not yours to see' to the one who was offered the button.
 */
export const sendDeletePackage: Send<'deletePackage'> = async (api, { id, targetId }) => {
  try {
    await api.deletePackage(targetId, id);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  return { kind: 'packageGone', id: targetId };
};
