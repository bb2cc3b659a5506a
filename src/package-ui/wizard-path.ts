/** The wizard's address; the wizard reads `againParam` from it. */

/** With its draft. */
export const newPath = '/new-package';

export const againParam = 'again';

/** Filled in from the package with this id. */
export const againPath = (id: string): string => `${newPath}?${againParam}=${id}`;
