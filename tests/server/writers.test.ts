/** Edits of one outbox do not conflict; the rule itself: tests/unit/field-versions. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { writerText } from '#contract/writer.ts';
import { createdPackage, fileStage, type Person } from './stage.ts';

const stage = fileStage();

/** Sends the changes of one outbox in sequence. */
function outboxOf(who: Person, outboxId = randomUUID()) {
  let order = 0;
  return (path: string, body: object) => {
    order += 1;
    const headers = { 'kaya-outbox': writerText({ outboxId, order }) };
    return stage().send(who, 'PATCH', path, { body, headers });
  };
}

describe.each(['package', 'profile'])('edits of a %s on one version', (kind) => {
  async function subject() {
    const sender = await stage().person('Customer');
    if (kind === 'package') {
      const { _id } = await createdPackage(stage(), sender);
      return { sender, path: `/api/packages/${_id}`, edit: (notes: string) => ({ notes }) };
    }
    const edit = (address: string) => ({ id: sender.id, address });
    return { sender, path: '/api/users', edit };
  }

  it('do not conflict within one outbox', async () => {
    const { sender, path, edit } = await subject();
    const send = outboxOf(sender);
    for (const text of ['One', 'Two', 'Three']) {
      const answer = await send(path, { ...edit(text), baseVersion: 1 });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.text).toContain(text);
    }
  });

  it('conflict with those of another phone, and of a client without an outbox', async () => {
    const { sender, path, edit } = await subject();
    const [phone, otherPhone] = [outboxOf(sender), outboxOf(sender)];
    expect((await otherPhone(path, edit('Theirs'))).status).toBe(200);
    const clash = await phone(path, { ...edit('Mine'), baseVersion: 1 });
    expect([clash.status, clash.body.code]).toEqual([409, 'conflict']);
    expect((await phone(path, edit('Mine'))).status).toBe(200);
    expect((await stage().send(sender, 'PATCH', path, { body: edit('Plain') })).status).toBe(200);
    const again = await phone(path, { ...edit('Mine again'), baseVersion: 1 });
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
  });

  it('conflict with those of another user, whatever outbox is named', async () => {
    const { sender, path, edit } = await subject();
    const outboxId = randomUUID();
    expect((await outboxOf(sender, outboxId)(path, edit('Theirs'))).status).toBe(200);
    const admin = await stage().admin();
    const headers = { 'kaya-outbox': writerText({ outboxId, order: 9 }) };
    const body = { ...edit('Mine'), baseVersion: 1 };
    const clash = await stage().send(admin, 'PATCH', path, { body, headers });
    expect([clash.status, clash.body.code]).toEqual([409, 'conflict']);
  });

  it('are refused with an invalid Kaya-Outbox', async () => {
    const { sender, path, edit } = await subject();
    const answer = await stage().send(sender, 'PATCH', path, {
      ...{ body: edit('Mine'), headers: { 'kaya-outbox': 'mine' } },
    });
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid_fields']);
    expect(answer.body.fields).toEqual({ 'Kaya-Outbox': expect.any(String) });
  });

  it('are one request to an Idempotency-Key, whatever outbox is named', async () => {
    const { sender, path, edit } = await subject();
    const send = (outboxId: string) =>
      stage().send(sender, 'PATCH', path, {
        body: edit('Mine'),
        headers: {
          'idempotency-key': 'once',
          'kaya-outbox': writerText({ outboxId, order: 1 }),
        },
      });
    const answer = await send(randomUUID());
    const again = await send(randomUUID());
    expect([again.status, again.text]).toEqual([200, answer.text]);
  });
});
