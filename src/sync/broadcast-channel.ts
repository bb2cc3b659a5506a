import type { Channel } from './ports.ts';

/** The Channel port on the browser's own; without it a tab hears only itself. */
export function createBroadcastChannel(name: string): Channel {
  if (typeof BroadcastChannel === 'undefined') {
    return { post: () => undefined, listen: () => () => undefined };
  }
  const channel = new BroadcastChannel(name);
  let isClosed = false;
  return {
    // Closed, the browser's own throws; whoever has stopped listening has nothing to say either.
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
