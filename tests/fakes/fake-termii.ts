/**
 * An HTTP server in place of Termii. Strict: what Termii would refuse it refuses, and `phones` has what
 * it took, whatever it then answered.
 */
import { createHmac } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { close, open, urlOf } from './local-server.ts';

export const termiiKeys = { apiKey: 'TL-5f0c9b2e7d41a836', secretKey: 'tsk_c27e91d05ab3f864' };

export interface TakenMessage {
  id: string;
  /** Without a plus. */
  to: string;
  from: string;
  sms: string;
}

/**
 * What it does with the next valid messages. silent, cut, broken, garbage: takes the message, and
 * then says nothing, hangs up, answers 502, or what is no JSON. slow: answers after `slowMs`. busy,
 * empty, locked: takes none for now. refuses: takes none ever. same: takes it and repeats the last answer.
 */
export type Mood =
  | 'honest'
  | 'silent'
  | 'cut'
  | 'broken'
  | 'garbage'
  | 'slow'
  | 'busy'
  | 'empty'
  | 'locked'
  | 'refuses'
  | 'same'
  | 'numbered';

const fields = ['api_key', 'channel', 'from', 'sms', 'to', 'type'];

function problemOf(body: Record<string, unknown>): [number, string] | null {
  if (body.api_key !== termiiKeys.apiKey) return [401, 'Invalid api key'];
  if (Object.keys(body).sort().join() !== fields.join()) return [400, 'Unknown or missing fields'];
  const { to, from, sms, type, channel } = body;
  if (!/^[1-9]\d{7,14}$/.test(String(to))) return [400, 'Invalid phone number'];
  if (!/^[A-Za-z0-9 ]{3,11}$/.test(String(from))) return [404, 'ApplicationSenderId not found'];
  if (typeof sms !== 'string' || sms === '') return [422, 'The sms field is required'];
  return type === 'plain' && channel === 'dnd' ? null : [422, 'The route is not known'];
}

const without: Partial<Record<Mood, [number, string]>> = {
  busy: [429, 'Too many requests'],
  empty: [400, 'Insufficient balance'],
  locked: [401, 'Invalid api key'],
  refuses: [400, 'Invalid phone number'],
};

export class FakeTermii {
  readonly phones: TakenMessage[] = [];
  /** Number of calls, valid or not. */
  calls = 0;
  mood: Mood = 'honest';
  slowMs = 50;
  private readonly server: Server;
  private next = 3_017_544_054_459_083n;

  constructor() {
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        this.calls += 1;
        const isSend = request.method === 'POST' && request.url === '/api/sms/send';
        if (!isSend) this.answer(response, 404, { message: 'Not found' });
        else this.take(JSON.parse(text), response, () => request.socket.destroy());
      });
    });
  }

  private take(body: Record<string, unknown>, response: ServerResponse, cut: () => void): void {
    const { mood } = this;
    const [status, message] = problemOf(body) ?? without[mood] ?? [200, 'Successfully Sent'];
    if (status !== 200) {
      this.answer(response, status, { code: 'error', message });
      return;
    }
    this.next += 1n;
    const id = mood === 'same' ? (this.phones.at(-1)?.id ?? '') : String(this.next);
    const { to, from, sms } = body;
    this.phones.push({ id, to: String(to), from: String(from), sms: String(sms) });
    const done = { code: 'ok', message_id: id, message, balance: 1047.57, user: 'Kaya' };
    if (mood === 'silent') return;
    if (mood === 'cut') cut();
    else if (mood === 'broken') this.answer(response, 502, { message: 'Bad gateway' });
    else if (mood === 'garbage') response.end('<html>It works</html>');
    else if (mood === 'slow') setTimeout(() => this.answer(response, 200, done), this.slowMs);
    else if (mood === 'numbered') {
      this.answer(response, 200, { ...done, message_id: Number(id), message_id_str: id });
    } else this.answer(response, 200, done);
  }

  private answer(response: ServerResponse, status: number, json: object): void {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(json));
  }

  async open(port = 0): Promise<void> {
    await open(this.server, port);
  }

  get url(): string {
    return urlOf(this.server);
  }

  close(): Promise<void> {
    return close(this.server);
  }
}

/** A delivery report, signed. */
export function termiiReport(
  { id, to, from, sms }: TakenMessage,
  status: string,
  changes: object = {},
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify({
    type: 'outbound',
    id: 'd3a1',
    message_id: id,
    receiver: to,
    sender: from,
    message: sms,
    sent_at: '2026-11-21 10:00:00',
    cost: '4.25',
    status,
    channel: 'dnd',
    ...changes,
  });
  const signature = createHmac('sha512', termiiKeys.secretKey).update(body).digest('hex');
  return { body, headers: { 'x-termii-signature': signature } };
}
