import type { Channel } from '#sync/ports.ts';

/** A Channel over BroadcastChannel; without it, a tab receives nothing from others. */
export function createBroadcastChannel(name: string): Channel {
  if (typeof BroadcastChannel === 'undefined') {
    return { post: () => undefined, listen: () => () => undefined };
  }
  const channel = new BroadcastChannel(name);
  let isClosed = false;
  return {
    // A closed BroadcastChannel throws on postMessage.
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

/** Sent after the device database has recorded it. */
export interface SessionWord {
  kind: 'began' | 'ended';
  userId: string;
}

/** Without a schema, whose library the first page would load for it. */
function isSessionWord(message: unknown): message is SessionWord {
  const { kind, userId } = (message ?? {}) as Partial<Record<keyof SessionWord, unknown>>;
  return (kind === 'began' || kind === 'ended') && typeof userId === 'string';
}

/** Tells other tabs and workers who is signed in, so that none acts as the former user. */
export function createSessionChannel() {
  const channel = createBroadcastChannel('kaya-session');
  return {
    broadcast: (word: SessionWord) => channel.post(word),
    /** Returns a function that closes the channel. */
    listen: (onWord: (word: SessionWord) => void) =>
      channel.listen((message) => {
        if (isSessionWord(message)) onWord(message);
      }),
  };
}
