// @ts-check
// Shared by the servers of the bench's pages.

/** Browsers reject styles and modules of another type. */
export const types = /** @type {Record<string, string>} */ ({
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
});

/**
 * Listens on a free local port.
 * @param {import('node:http').Server} server
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function serve(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
