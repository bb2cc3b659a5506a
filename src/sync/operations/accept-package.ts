import type { Send } from './sender.ts';

/** SPEC.md section 4, 'Employee accepts'. */
export const sendAcceptPackage: Send<'acceptPackage'> = async (api, { id, targetId, args }) => {
  const { courier, baseVersion } = args;
  const body = {
    ...{ deliveryPersonId: courier._id, deliveryStatus: 'In Transit' as const },
    ...(baseVersion === undefined ? {} : { baseVersion }),
  };
  return { kind: 'row', row: await api.patchPackage(targetId, body, id) };
};
