import type { Send } from './sender.ts';

export const sendEditPackage: Send<'editPackage'> = async (api, { id, targetId, args }) => {
  const { changes, baseVersion } = args;
  const body = { ...changes, ...(baseVersion === undefined ? {} : { baseVersion }) };
  return { kind: 'row', row: await api.patchPackage(targetId, body, id) };
};
