/** Addresses of the list screens, whose rows and chunks load first; vite.config.ts reads it too. */
export const listAddress = /^\/(tracking|delivery)(\/|$)/;
