/** A way to a database that can be cut, or swallow what is sent on it. */
import { once } from 'node:events';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Everything that is open breaks, and nothing can be opened. */
  cut(): Promise<void>;
  /** Connections stay and are taken, and nothing passes. */
  swallow(): void;
  /** As at first; what was swallowed stays so. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Sees what passes on one connection, from either side; what it says false of goes no further. */
export interface Watcher {
  near(chunk: Buffer): boolean;
  far(chunk: Buffer): boolean;
}

const watchNothing = (): Watcher => ({ near: () => true, far: () => true });

export async function startTcpProxy(
  target: { host: string; port: number },
  watch = watchNothing,
): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let isSwallowing = false;
  let server: Server | undefined;

  const accept = (near: Socket) => {
    const far = dial(target.port, target.host);
    const watcher = watch();
    for (const [socket, other, mayPass] of [
      [near, far, watcher.near],
      [far, near, watcher.far],
    ] as const) {
      open.add(socket);
      socket.on('data', (chunk: Buffer) => {
        if (mayPass(chunk) && !isSwallowing) other.write(chunk);
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  };
  const listen = async (port: number): Promise<number> => {
    server = createServer(accept).listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address ? address.port : port;
  };
  const cut = async () => {
    const closing = server;
    server = undefined;
    if (!closing) return;
    const closed = once(closing, 'close');
    closing.close();
    for (const socket of open) socket.destroy();
    await closed;
  };

  const port = await listen(0);
  return {
    port,
    cut,
    swallow: () => {
      isSwallowing = true;
    },
    restore: async () => {
      isSwallowing = false;
      if (!server) await listen(port);
    },
    close: cut,
  };
}
