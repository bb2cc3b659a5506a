/** The cases in order: acceptances come last, since they change the lists. */
import { isDeepStrictEqual } from 'node:util';
import { headers } from '#contract/headers.ts';
import type { Load } from './load.ts';
import type { Filled } from './places.ts';
import type { Binding, CallName } from './plan.ts';
import type { Running } from './processes.ts';
import {
  acceptBody,
  accepting,
  type Person,
  pulling,
  type Request,
  type SeededPerson,
  tokensFor,
} from './requests.ts';

type Side = Pick<Load, 'url' | 'next'>;

export interface Case {
  name: string;
  product: Side;
  bare: Side;
  /** Default: the bare server. */
  peerName?: string;
  /** Per round; default: as many as time allows. */
  requests?: number;
}

interface Stage {
  filled: Filled;
  product: Running;
  bare: Running;
  secret: string;
}

const crowd = 10;
/** Accepted between the cursor and the request for changes. */
const fewChanges = 5;
const acceptsPerRound = 150;

const inTurn = <T>(all: readonly T[]): (() => T) => {
  let index = 0;
  return () => {
    const one = all[index % all.length];
    index += 1;
    if (one === undefined) throw new Error('No requests left.');
    return one;
  };
};

type Brought = Partial<Record<Binding | 'bytes', string>>;

function bareRequest(call: CallName, brought: Brought, body?: string): Request {
  const path = `/${call}?${new URLSearchParams(brought)}`;
  if (body === undefined) return { method: 'GET', path, headers: {} };
  return { method: 'PATCH', path, headers: { 'content-type': 'application/json' }, body };
}

async function ask({ url }: Running, { method, path, headers: sent, body }: Request) {
  const answer = await fetch(`${url}${path}`, { method, headers: sent, body: body ?? null });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  const [cursor, more] = [headers.syncCursor, headers.syncMore].map((one) =>
    answer.headers.get(one),
  );
  return { text, bytes: String(Buffer.byteLength(text)), cursor: cursor ?? '', more };
}

async function snapshotOf(bare: Running): Promise<string> {
  const { text } = await ask(bare, { method: 'GET', path: '/snapshot', headers: {} });
  return String(JSON.parse(text).rows[0].snapshot);
}

/** The cursor at the end of a series. */
export async function caughtUp(product: Running, person: Person): Promise<string> {
  for (let since = ''; ; ) {
    const { cursor, more } = await ask(product, pulling(person, since));
    if (more === null) return cursor;
    since = cursor;
  }
}

const whoIs = ({ id, sessionId }: SeededPerson): Brought => ({ user: id, session: sessionId });

/** `people` pull from the position of `cursorOf`; `meanwhile` is what changes after the cursor. */
async function pulls(
  { product, bare }: Stage,
  name: string,
  role: 'courier' | 'sender',
  people: readonly Person[],
  { isFirst = false, meanwhile = async () => undefined as unknown } = {},
): Promise<Case> {
  const snapshot = await snapshotOf(bare);
  const cursors = await Promise.all(people.map((one) => (isFirst ? '' : caughtUp(product, one))));
  await meanwhile();
  const ours = people.map((person, index) => pulling(person, cursors[index] ?? ''));
  const theirs = await Promise.all(
    people.map(async (person, index) => {
      const { bytes } = await ask(product, pulling(person, cursors[index] ?? ''));
      const call: CallName = `${role}${isFirst ? 'FirstPage' : 'Changes'}`;
      return bareRequest(call, { ...whoIs(person), snapshot, bytes });
    }),
  );
  return {
    name,
    product: { url: product.url, next: inTurn(ours) },
    bare: { url: bare.url, next: inTurn(theirs) },
  };
}

/** First pages beside the database's own JSON, which must say the same. */
async function jsonPages(
  { product, bare }: Stage,
  name: string,
  role: 'courier' | 'sender',
  people: readonly Person[],
): Promise<Case> {
  const ours = people.map((person) => pulling(person, ''));
  const theirs = people.map((person) => bareRequest(`${role}JsonPage`, whoIs(person)));
  for (const [index, request] of ours.entries()) {
    const [shown, made] = [await ask(product, request), await ask(bare, theirs[index] ?? request)];
    if (!isDeepStrictEqual(JSON.parse(shown.text), JSON.parse(made.text))) {
      throw new Error(
        `The database's JSON differs:\n${made.text.slice(0, 4_000)}\n${shown.text.slice(0, 4_000)}`,
      );
    }
  }
  return {
    name,
    product: { url: product.url, next: inTurn(ours) },
    bare: { url: bare.url, next: inTurn(theirs) },
    peerName: 'JSON by the database',
  };
}

interface Acceptance {
  person: Person;
  offer: string;
  key: string;
  /** For the bare server only; the product derives it from the key. */
  lock: string;
}

/** Every package once, by couriers in turn, each with a new key. */
function acceptances({ filled }: Stage, couriers: readonly Person[]): () => Acceptance {
  const courier = inTurn(couriers);
  let index = 0;
  return () => {
    const offer = filled.offers[index];
    index += 1;
    if (offer === undefined) throw new Error('No packages left to accept.');
    return { person: courier(), offer, key: crypto.randomUUID(), lock: String(index) };
  };
}

function bareAccept({ person, offer, key, lock }: Acceptance, bytes: string): Request {
  const brought = { ...whoIs(person), package: offer, key, lock, bytes };
  return bareRequest('accept', brought, acceptBody(person.id));
}

export async function* casesOf(stage: Stage): AsyncGenerator<Case> {
  const { filled, product, bare, secret } = stage;
  const sign = tokensFor(secret);
  const signed = (people: readonly SeededPerson[]): Promise<Person[]> =>
    Promise.all(people.map(async (one) => ({ ...one, token: await sign(one) })));
  const couriers = await signed(filled.couriers);
  const some = couriers.slice(0, crowd);
  const senders = await signed(filled.senders.slice(1, 1 + crowd));
  const busiest = await signed(filled.senders.slice(0, 1));
  const [ours, theirs] = [acceptances(stage, couriers), acceptances(stage, couriers)];
  let bytes = '';
  const acceptFew = async () => {
    for (let count = 0; count < fewChanges; count += 1) {
      const { person, offer, key } = ours();
      ({ bytes } = await ask(product, accepting(person, offer, key)));
      await ask(bare, bareAccept(theirs(), bytes));
    }
  };

  yield await pulls(stage, 'first page, courier (500 rows)', 'courier', some, { isFirst: true });
  const has = filled.senders[1]?.packages;
  yield await pulls(stage, `first page, sender (${has} rows)`, 'sender', senders, {
    isFirst: true,
  });
  yield await jsonPages(stage, 'first page, courier (500 rows)', 'courier', some);
  const many = filled.senders[0]?.packages;
  yield await jsonPages(stage, `first page, sender of ${many} (500 rows)`, 'sender', busiest);
  yield await pulls(stage, 'nothing new, courier', 'courier', some);
  yield await pulls(stage, 'nothing new, sender', 'sender', senders);
  yield await pulls(stage, `nothing new, sender of ${many}`, 'sender', busiest);
  yield await pulls(stage, `${fewChanges} changes, courier`, 'courier', some, {
    meanwhile: acceptFew,
  });
  const accept = () => {
    const { person, offer, key } = ours();
    return accepting(person, offer, key);
  };
  yield {
    name: 'accept',
    product: { url: product.url, next: accept },
    bare: { url: bare.url, next: () => bareAccept(theirs(), bytes) },
    requests: acceptsPerRound,
  };
}
