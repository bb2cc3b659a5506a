/** Writers that create packages while a server is up, and check its acknowledgements. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { answerOf, call, signUp } from './process-stage.ts';
import { packageBody } from './stage.ts';

export interface Writer {
  token: string;
  /** Acknowledged. */
  acknowledged: Set<string>;
  /** Sent without an answer: stored or not, and retried with its key. */
  unanswered: Map<string, ReturnType<typeof packageBody>>;
}

export async function signUpWriters(url: string, count: number): Promise<Writer[]> {
  const writers: Writer[] = [];
  for (let n = 0; n < count; n += 1) {
    const token = await signUp(url);
    writers.push({ token, acknowledged: new Set(), unanswered: new Map() });
  }
  return writers;
}

/** Creates one package, retrying an unanswered one first; null without an answer. */
export async function write(url: string, writer: Writer): Promise<number | null> {
  const { token, acknowledged, unanswered } = writer;
  const [id = randomUUID()] = unanswered.keys();
  const body = unanswered.get(id) ?? packageBody({ _id: id });
  unanswered.set(id, body);
  const answer = await answerOf(
    call<WirePackage>(url, 'POST', '/api/packages', { token, key: id, body }),
  );
  if (answer?.status !== 201) return answer?.status ?? null;
  expect(answer.body._id).toBe(id);
  acknowledged.add(id);
  unanswered.delete(id);
  return 201;
}

/** Writes until the server is gone. `refused` lists statuses accepted besides 201. */
export async function writeUntilGone(
  url: string,
  writer: Writer,
  onAnswer: () => void,
  refused?: number,
): Promise<void> {
  for (;;) {
    const status = await write(url, writer);
    if (status === null) return;
    if (status !== refused) expect(status).toBe(201);
    onAnswer();
  }
}

/** Everything acknowledged exists exactly once, and nothing that was never sent. */
export async function expectAllKept(url: string, writers: Writer[]): Promise<void> {
  for (const { token, acknowledged, unanswered } of writers) {
    const { body } = await call<WirePackage[]>(url, 'GET', '/api/packages', { token });
    const there = body.map((pkg) => pkg._id);
    expect(new Set(there).size).toBe(there.length);
    expect(
      [...acknowledged].filter((id) => !there.includes(id)),
      'lost',
    ).toEqual([]);
    const extra = there.filter((id) => !acknowledged.has(id) && !unanswered.has(id));
    expect(extra, 'made up').toEqual([]);
  }
}
