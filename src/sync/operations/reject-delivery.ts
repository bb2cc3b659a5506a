import type { Send } from './sender.ts';

/** SPEC.md section 4, 'Reject delivery'. */
export const sendRejectDelivery: Send<'rejectDelivery'> = async (api, { id, targetId }) => ({
  kind: 'row',
  row: await api.patchPackage(targetId, { deliveryPersonId: null, deliveryStatus: 'Pending' }, id),
});
