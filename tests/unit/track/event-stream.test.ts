/** What the recipient's page understands of its stream, however the network cuts it up. */
import { afterEach, expect, it, vi } from 'vitest';
import { htmlOf, readEvents } from '#track/event-stream.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const event = (html: string) => `event: tracking\ndata: ${JSON.stringify(html)}\n\n`;

/** The HTML heard of an answer with this body, in pieces of `size` bytes. */
const date = 'Sat, 28 Nov 2026 09:00:00 GMT';

async function heardOf(body: string, size: number, init: ResponseInit = {}) {
  const bytes = new TextEncoder().encode(body);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) {
        controller.enqueue(bytes.subarray(at, at + size));
      }
      controller.close();
    },
  });
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', date };
  vi.stubGlobal('fetch', async () => new Response(stream, { headers, ...init }));
  const heard: string[] = [];
  const said: (string | null)[] = [];
  let pieces = 0;
  await readEvents('/events', new AbortController().signal, {
    bytes: () => {
      pieces += 1;
    },
    headers: (heads) => said.push(heads.get('date')),
    html: (html) => heard.push(html),
  });
  return { heard, pieces, said };
}

it.each([1, 7, 10_000])('events are whole in pieces of %i bytes', async (size) => {
  const texts = ['<h1>Ọ̀nà → 2\n\nlines</h1>', '<p>"second"</p>'];
  const body = `retry: 5000\n:\n\n${texts.map(event).join(':\n\n')}event: other\ndata: {}\n\n`;
  const { heard, pieces, said } = await heardOf(body, size);
  expect(heard).toEqual(texts);
  expect(said).toEqual([date]);
  expect(pieces).toBe(Math.ceil(Buffer.byteLength(body) / size));
});

it('a cut event is not shown', async () => {
  const { heard } = await heardOf(event('<p>half</p>').slice(0, -4), 100);
  expect(heard).toEqual([]);
});

it('what is not an event of the page changes nothing', () => {
  expect(htmlOf('event: change\ndata: "x"')).toBeNull();
  expect(htmlOf('event: tracking\ndata: {broken')).toBeNull();
  expect(htmlOf('event: tracking\ndata: {"a":1}')).toBeNull();
  expect(htmlOf(':')).toBeNull();
});

it.each([
  ['ended', { status: 410 }],
  ['a page of the network', { headers: { 'content-type': 'text/html' } }],
])('an answer that is no stream fails: %s', async (_, init) => {
  await expect(heardOf(event('<p>no</p>'), 100, init)).rejects.toThrow('No stream');
});
