import type { Channel } from './ports.ts';

/** The Channel port on the browser's own; without it a tab hears only itself. */
export function createBroadcastChannel(name: string): Channel {
  if (typeof BroadcastChannel === 'undefined') {
    return { post: () => undefined, listen: () => () => undefined };
  }
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => channel.postMessage(message),
    listen: (onMessage) => {
      channel.onmessage = ({ data }) => onMessage(data);
      return () => channel.close();
    },
  };
}
