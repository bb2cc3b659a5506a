/**
 * Who is signed in on this device is one for all its tabs and for the service worker, so whoever
 * changes it tells the others: they must neither show, send nor pull in the former user's name.
 */
import * as v from 'valibot';
import { createBroadcastChannel } from './broadcast-channel.ts';

const sessionWordSchema = v.object({ kind: v.picklist(['began', 'ended']), userId: v.string() });

/** Said once the device's own record says so too. */
export type SessionWord = v.InferOutput<typeof sessionWordSchema>;

export interface SessionChannel {
  tell(word: SessionWord): void;
  /** What other tabs and workers say. Returns what ends it, and with it the channel. */
  listen(onWord: (word: SessionWord) => void): () => void;
}

export function createSessionChannel(): SessionChannel {
  const channel = createBroadcastChannel('kaya-session');
  return {
    tell: (word) => channel.post(word),
    listen: (onWord) =>
      channel.listen((message) => {
        if (v.is(sessionWordSchema, message)) onWord(message);
      }),
  };
}
