/** Where the worker keeps tiles, and what the page gives up first on a phone that is full. */
export const tileCacheName = 'kaya-tiles';
