/**
 * The server's event stream, by fetch: an EventSource shows neither the heartbeats, which are comments,
 * nor the status of the answer.
 */
import type { trackingEvent } from '#contract/tracking.ts';

/** Written out: the contract's file would bring its schemas, which weigh more than this script. */
const eventName: typeof trackingEvent = 'tracking';

interface Heard {
  bytes(): void;
  /** The headers of the answer. */
  headers(headers: Headers): void;
  /** The new HTML of the page's changing part. */
  html(html: string): void;
}

/** The HTML that a whole event brings; null: another event, or a comment. */
export function htmlOf(block: string): string | null {
  const lines = block.split(/\r?\n/);
  const fieldOf = (field: string) =>
    lines
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1));
  if (fieldOf('event')[0]?.trim() !== eventName) return null;
  try {
    const html: unknown = JSON.parse(fieldOf('data').join('\n'));
    return typeof html === 'string' ? html : null;
  } catch {
    return null;
  }
}

/** Until it ends. Rejects unless the answer is a stream. */
export async function readEvents(url: string, signal: AbortSignal, heard: Heard): Promise<void> {
  const answer = await fetch(url, {
    signal,
    cache: 'no-store',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    headers: { accept: 'text/event-stream' },
  });
  const type = answer.headers.get('content-type') ?? '';
  if (!answer.ok || !answer.body || !type.startsWith('text/event-stream')) {
    await answer.body?.cancel();
    throw new Error(`No stream: ${answer.status}`);
  }
  heard.headers(answer.headers);
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard.bytes();
    text += decoder.decode(value, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const html = htmlOf(block);
      if (html !== null) heard.html(html);
    }
  }
}
