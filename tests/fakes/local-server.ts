/** Where the servers of tests listen: on this machine, at a free port unless they name one. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const portOf = (server: Pick<Server, 'address'>) => (server.address() as AddressInfo).port;

export const urlOf = (server: Pick<Server, 'address'>) => `http://127.0.0.1:${portOf(server)}`;

/** Resolves with its port. */
export async function open(server: Pick<Server, 'address' | 'listen'>, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return portOf(server);
}

export async function close(server: Pick<Server, 'close' | 'closeAllConnections'>) {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}
