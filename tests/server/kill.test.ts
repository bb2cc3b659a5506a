import { expect, it } from 'vitest';
import { type Exit, type ServerProcess, startServer } from '#tests/fakes/server-process.ts';
import { rounds } from '#tests/size.ts';
import { storages } from './process-stage.ts';
import { expectAllKept, signUpWriters, type Writer, writeUntilGone } from './writers.ts';

const freshStorage = storages();
const kills = rounds(2, 20);

/** Starts all writers and kills the server after `answers`, at least two from each. */
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

it(`a server killed ${kills} times under writes keeps every acknowledged package exactly once`, async () => {
  const { env } = await freshStorage();
  let server = await startServer({ env });
  const writers = await signUpWriters(server.url, 4);
  for (let kill = 0; kill < kills; kill += 1) {
    await killAmidWrites(server, writers, 5 + kill);
    server = await startServer({ env });
  }
  await expectAllKept(server.url, writers);
  for (const { acknowledged } of writers) expect(acknowledged.size).toBeGreaterThan(kills);
  expect((await server.stop()).code).toBe(0);
}, 240_000);
