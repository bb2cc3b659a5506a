/** What the manifest's share_target calls its parts. */
export const sharedParams = ['title', 'text', 'url'] as const;
