import type { Send } from './sender.ts';

/** SPEC.md section 4, 'Reject delivery'. */
export const sendRejectDelivery: Send<'rejectDelivery'> = async (api, { id, targetId }) => ({
  kind: 'package',
  row: await api.patchPackage(targetId, { deliveryPersonId: null, deliveryStatus: 'Pending' }, id),
});
