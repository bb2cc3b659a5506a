import type { Send } from './sender.ts';

export const sendCreatePackage: Send<'createPackage'> = async (api, { id, targetId, args }) => ({
  kind: 'row',
  row: await api.createPackage({ ...args, _id: targetId }, id),
});
