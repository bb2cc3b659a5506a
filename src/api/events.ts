/** Change events, which only say 'pull'. By fetch: an EventSource cannot send the bearer token. */
import { changeEvent, eventsPath } from '#contract/stream.ts';
import { answerOf, readRefusal } from './answer.ts';
import type { ApiClient } from './client.ts';
import { ApiFailure, noAnswer } from './failure.ts';
import type { ApiOptions } from './ports.ts';

/** The server sends a keep-alive every 25 s; after this silence the stream is dead. */
export const streamSilenceMs = 60_000;

export interface ChangeListener {
  /** Connected: earlier changes may have been missed. */
  onOpen(): void;
  onChange(): void;
  /** Aborting resolves `listenForChanges`. */
  signal: AbortSignal;
}

export interface EventsApi {
  /**
   * Reads one stream until the server or the signal ends it; rejects with ApiFailure if it cannot
   * be opened, breaks or falls silent.
   */
  listenForChanges(listener: ChangeListener): Promise<void>;
}

/** Parses server-sent events; calls back with each event's name. */
export function createEventReader(onEvent: (name: string) => void): (text: string) => void {
  let rest = '';
  let name = '';
  let hasData = false;
  const readLine = (line: string) => {
    if (line === '') {
      if (hasData) onEvent(name === '' ? 'message' : name);
      name = '';
      hasData = false;
    } else if (line.startsWith('event:')) name = line.slice('event:'.length).trim();
    else if (line.startsWith('data:')) hasData = true;
  };
  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) readLine(line);
  };
}

type Options = Pick<ApiOptions, 'baseUrl' | 'fetch' | 'silenceMs'>;

export function createEventsApi(client: ApiClient, options: Options): EventsApi {
  const { baseUrl = '', silenceMs = streamSilenceMs } = options;
  const send: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));

  async function listenOnce(token: string, listener: ChangeListener): Promise<void> {
    const { signal } = listener;
    const aborter = new AbortController();
    const abort = () => aborter.abort();
    let isSilent = false;
    let watch: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(watch);
      watch = setTimeout(() => {
        isSilent = true;
        abort();
      }, silenceMs);
    };
    signal.addEventListener('abort', abort);
    try {
      if (signal.aborted) return;
      heard();
      const response = await send(`${baseUrl}${eventsPath}`, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
        credentials: 'include',
        cache: 'no-store',
        signal: aborter.signal,
      });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (!response.ok || !isStream || !response.body) {
        throw readRefusal(await answerOf(response));
      }
      listener.onOpen();
      const read = createEventReader((name) => {
        if (name === changeEvent) listener.onChange();
      });
      const pipe = { signal: aborter.signal };
      const reader = response.body.pipeThrough(new TextDecoderStream(), pipe).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        heard();
        read(part.value);
      }
    } catch (cause) {
      if (signal.aborted) return;
      if (cause instanceof ApiFailure) throw cause;
      const kind = isSilent ? 'timeout' : 'network';
      throw noAnswer(kind, 'The stream of events broke off.', cause);
    } finally {
      clearTimeout(watch);
      signal.removeEventListener('abort', abort);
    }
  }

  return {
    listenForChanges: (listener) => client.authorized((token) => listenOnce(token, listener)),
  };
}
