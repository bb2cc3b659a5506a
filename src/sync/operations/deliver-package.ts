import type { Send } from './sender.ts';

/** SPEC.md section 4, 'Package Delivered'. */
export const sendDeliverPackage: Send<'deliverPackage'> = async (api, { id, targetId }) => ({
  kind: 'row',
  row: await api.patchPackage(targetId, { deliveryStatus: 'Delivered' }, id),
});
