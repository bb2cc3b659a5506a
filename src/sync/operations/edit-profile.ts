import type { Send } from './sender.ts';

export const sendEditProfile: Send<'editProfile'> = async (api, { id, targetId, args }) => {
  const { changes, baseVersion } = args;
  const body = {
    id: targetId,
    ...changes,
    ...(baseVersion === undefined ? {} : { baseVersion }),
  };
  return { kind: 'row', row: await api.patchUser(body, id) };
};
