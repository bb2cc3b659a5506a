import type { Send } from './sender.ts';

/** SPEC.md section 4, 'Employee accepts'. */
export const sendAcceptPackage: Send<'acceptPackage'> = async (api, { id, targetId, args }) => ({
  kind: 'row',
  row: await api.patchPackage(
    targetId,
    { deliveryPersonId: args.courier._id, deliveryStatus: 'In Transit' },
    id,
  ),
});
