/** An acknowledged write survives whatever ends the server. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { type Exit, type ServerProcess, startServer } from '#tests/fakes/server-process.ts';
import { answerOf, call, signUp, storages } from './process-stage.ts';
import { packageBody } from './stage.ts';

const freshStorage = storages();

interface Writer {
  token: string;
  /** What it was told is there. */
  acknowledged: Set<string>;
  /** Sent, and no answer came: may be there or not, and is sent again with its key. */
  unanswered: Map<string, ReturnType<typeof packageBody>>;
}

/** Creates packages until the server goes away, sending first again what went unanswered. */
async function writeUntilGone(url: string, writer: Writer, onAnswer: () => void): Promise<void> {
  const { token, acknowledged, unanswered } = writer;
  for (;;) {
    const [id = randomUUID()] = unanswered.keys();
    const body = unanswered.get(id) ?? packageBody({ _id: id });
    unanswered.set(id, body);
    const answer = await answerOf(
      call<WirePackage>(url, 'POST', '/api/packages', { token, key: id, body }),
    );
    if (!answer) return;
    expect([answer.status, answer.body._id]).toEqual([201, id]);
    acknowledged.add(id);
    unanswered.delete(id);
    onAnswer();
  }
}

/** Lets all write at once and kills the server in the middle of it: after `answers`, two to each at least. */
async function killAmidWrites(server: ServerProcess, writers: Writer[], answers: number) {
  const told = writers.map(() => 0);
  let kill: Promise<Exit> | undefined;
  const onAnswer = (index: number) => {
    told[index] = (told[index] ?? 0) + 1;
    const sum = told.reduce((all, one) => all + one, 0);
    if (sum >= answers && Math.min(...told) >= 2) kill ??= server.kill();
  };
  const writing = writers.map((writer, index) =>
    writeUntilGone(server.url, writer, () => onAnswer(index)),
  );
  await Promise.all(writing);
  expect((await kill)?.signal).toBe('SIGKILL');
}

describe('a server that is killed', () => {
  it('20 times while it takes writes has every acknowledged package, each once', async () => {
    const { env } = await freshStorage();
    let server = await startServer({ env });
    const writers: Writer[] = [];
    for (let n = 0; n < 4; n += 1) {
      const token = await signUp(server.url);
      writers.push({ token, acknowledged: new Set(), unanswered: new Map() });
    }
    for (let kill = 0; kill < 20; kill += 1) {
      await killAmidWrites(server, writers, 5 + kill);
      server = await startServer({ env });
    }
    for (const { token, acknowledged, unanswered } of writers) {
      const { body } = await call<WirePackage[]>(server.url, 'GET', '/api/packages', { token });
      const there = body.map((pkg) => pkg._id);
      expect(new Set(there).size).toBe(there.length);
      expect(
        [...acknowledged].filter((id) => !there.includes(id)),
        'lost',
      ).toEqual([]);
      const extra = there.filter((id) => !acknowledged.has(id) && !unanswered.has(id));
      expect(extra, 'made up').toEqual([]);
      expect(acknowledged.size).toBeGreaterThan(20);
    }
    expect((await server.stop()).code).toBe(0);
  }, 240_000);
});
