import * as v from 'valibot';
import type { Channel } from '#sync/ports.ts';

/** The Channel port on the browser's own; without it a tab hears only itself. */
export function createBroadcastChannel(name: string): Channel {
  if (typeof BroadcastChannel === 'undefined') {
    return { post: () => undefined, listen: () => () => undefined };
  }
  const channel = new BroadcastChannel(name);
  let isClosed = false;
  return {
    // Closed, the browser's own throws; an end that is closed posts nothing.
    post: (message) => {
      if (!isClosed) channel.postMessage(message);
    },
    listen: (onMessage) => {
      channel.onmessage = ({ data }) => onMessage(data);
      return () => {
        isClosed = true;
        channel.close();
      };
    },
  };
}

const sessionWordSchema = v.object({ kind: v.picklist(['began', 'ended']), userId: v.string() });

/** Said once the device's own record says so too. */
export type SessionWord = v.InferOutput<typeof sessionWordSchema>;

/**
 * Who is signed in on this device is the same for all tabs and the service worker: what changes it
 * tells the others, so that they neither show, send nor pull in the former user's name.
 */
export interface SessionChannel {
  broadcast(word: SessionWord): void;
  /** What other tabs and workers say. Returns what ends it, and with it the channel. */
  listen(onWord: (word: SessionWord) => void): () => void;
}

export function createSessionChannel(): SessionChannel {
  const channel = createBroadcastChannel('kaya-session');
  return {
    broadcast: (word) => channel.post(word),
    listen: (onWord) =>
      channel.listen((message) => {
        if (v.is(sessionWordSchema, message)) onWord(message);
      }),
  };
}
