import type { Channel } from '#sync/ports.ts';

/** Gives each tab its end of one channel; messages arrive at the others as structured clones. */
export function createFakeChannels(): () => Channel {
  const listeners = new Set<(message: unknown) => void>();
  return () => {
    let own: ((message: unknown) => void) | null = null;
    return {
      post: (message) => {
        for (const listener of listeners) {
          if (listener !== own) listener(structuredClone(message));
        }
      },
      listen: (onMessage) => {
        own = onMessage;
        listeners.add(onMessage);
        return () => listeners.delete(onMessage);
      },
    };
  };
}
