/**
 * Counts a server's database steps from outside, so that it can be killed between any two of them:
 * files written and flushed for the embedded one, statements sent and answered for PostgreSQL.
 */
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Launch, ServerProcess } from './server-process.ts';
import { startTcpProxy, type Watcher } from './tcp-proxy.ts';

/** The nth step of this label since the count began. */
export interface Place {
  label: string;
  nth: number;
}

export interface Steps {
  /** Start options of a server whose steps are counted. */
  launch: Launch;
  /** Starts counting; at `killAt` the server is killed. Null: never. */
  begin(server: ServerProcess, killAt: Place | null): Promise<void>;
  /** Ends the count in a living server: 'before commit', 'after commit' and others. */
  end(server: ServerProcess): Promise<string[]>;
  close(): Promise<void>;
}

/** For a server on the embedded database in the folder of `env`. */
export function diskSteps(env: Record<string, string>): Steps {
  const preload = pathToFileURL(path.resolve('tests/fakes/kill-at-step.mjs')).href;
  const tell = async ({ process }: ServerProcess, message: object): Promise<string[]> => {
    const answered = once(process, 'message');
    process.send(message);
    const [steps] = await answered;
    return steps;
  };
  return {
    launch: { env: { ...env, NODE_OPTIONS: `--import=${preload}` }, hasChannel: true },
    begin: async (server, killAt) => void (await tell(server, { isCounting: true, killAt })),
    end: (server) => tell(server, { isCounting: false, killAt: null }),
    close: () => Promise.resolve(),
  };
}

/** Parses one direction of PostgreSQL's protocol into messages: type and content. */
function messagesOf(isServer: boolean, onMessage: (type: string, content: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0);
  // A client's first message has no type.
  let head = isServer ? 1 : 0;
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= head + 4) {
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return;
      onMessage(rest.toString('latin1', 0, head), rest.subarray(head + 4, length));
      rest = rest.subarray(length);
      head = 1;
    }
  };
}

const textAt = (content: Buffer, from: number) =>
  content.toString('utf8', from, content.indexOf(0, from));

/** For a server on the PostgreSQL at `url`: a proxy in between. */
export async function statementSteps(url: string): Promise<Steps> {
  let steps: string[] | undefined;
  let killAt: Place | null = null;
  let server: ServerProcess | undefined;
  let isDead = false;
  const rest = () => {
    steps = undefined;
    isDead = false;
  };
  const step = (label: string) => {
    if (!steps || isDead) return;
    steps.push(label);
    if (label !== killAt?.label) return;
    isDead = steps.filter((one) => one === label).length === killAt.nth;
    if (isDead) void server?.kill();
  };
  /** The killed step's message is dropped: it never arrived. */
  const watch = (): Watcher => {
    let statement = '';
    let isAsked = false;
    const asks = messagesOf(false, (type, content) => {
      if (type === 'P') statement = textAt(content, content.indexOf(0) + 1);
      if (type === 'Q') statement = textAt(content, 0);
      if (type !== 'Q' && type !== 'S') return;
      isAsked = true;
      step(`before ${statement}`);
    });
    const answers = messagesOf(true, (type) => {
      if (type !== 'Z' || !isAsked) return;
      isAsked = false;
      step(`after ${statement}`);
    });
    const look = (read: (chunk: Buffer) => void) => (chunk: Buffer) => {
      read(chunk);
      return !isDead;
    };
    return { near: look(asks), far: look(answers) };
  };
  const place = new URL(url);
  const target = { host: place.hostname, port: Number(place.port || 5432) };
  const proxy = await startTcpProxy(target, watch);
  place.hostname = '127.0.0.1';
  place.port = String(proxy.port);
  return {
    launch: { env: { DATABASE_URL: place.href } },
    begin: async (running, at) => {
      server = running;
      killAt = at;
      steps = [];
      void running.exit.then(rest);
    },
    end: async () => {
      const counted = steps ?? [];
      rest();
      return counted;
    },
    close: proxy.close,
  };
}
