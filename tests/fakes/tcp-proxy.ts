/** A connection to a database that can be cut or made to drop packets. */
import { once } from 'node:events';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Breaks open connections and refuses new ones. */
  cut(): Promise<void>;
  /** Keeps and accepts connections, and drops all data. */
  swallow(): void;
  /** Back to normal; dropped data stays lost. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Observes the data of one connection in both directions; false drops it. */
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
