/** What people do with a package on its way, over HTTP: steps, pictures, problems. */
import { createHash, randomUUID } from 'node:crypto';
import type { ErrorBody } from '#contract/error-body.ts';
import type { RecordEventBody, WireEvent } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import { contentDigest } from '#contract/proof.ts';
import { withCheckDigit } from '#domain/codes.ts';
import { startRetention } from '#server/database/retention.ts';
import { openPictureStore } from '#server/modules/proofs/open-store.ts';
import * as pictures from '#tests/builders/pictures.ts';
import type { AnyBody, Person, Stage } from './stage.ts';

export type Step = RecordEventBody['type'];
export type Details = Partial<RecordEventBody>;
export type Answered = WirePackage & AnyBody & Pick<ErrorBody, 'triesLeft'>;

/** What the app says of a picture. */
export const pictureHeaders = (bytes: Buffer) => ({
  'content-type': 'image/jpeg',
  'content-digest': contentDigest(createHash('sha256').update(bytes).digest('base64')),
});

/** A photo that is still on the phone, and who took the package. */
export const photo = () => ({
  photoIds: [randomUUID() as string],
  recipientName: 'Musa',
  relation: 'neighbour' as const,
});

/** Another code with a right check digit. */
export const wrongCode = (code: string) =>
  withCheckDigit(String((Number(code.slice(0, 5)) + 1) % 100_000).padStart(5, '0'));

export function packageCalls(stage: () => Stage) {
  const at = (id: string) => `/api/packages/${id}`;
  const record = (who: Person, id: string, type: Step, details: Details = {}, on = stage()) => {
    const body = { _id: randomUUID(), type, occurredAt: on.now().toISOString(), ...details };
    return on.send<Answered>(who, 'POST', `${at(id)}/events`, { body });
  };
  return {
    record,
    /** One after the other: who, their step and its details. All are taken. */
    steps: async (id: string, ...all: [who: Person, type: Step, details?: Details][]) => {
      for (const [who, type, details] of all) {
        const { status, text } = await record(who, id, type, details);
        if (status !== 201) throw new Error(`${type}: ${text}`);
      }
    },
    read: async (who: Person, id: string) =>
      (await stage().send<WirePackage>(who, 'GET', at(id))).body,
    eventsFor: async (who: Person, id: string) =>
      (await stage().send<WireEvent[]>(who, 'GET', `${at(id)}/events`)).body,
    put: (
      who: Person | null,
      id: string,
      proofId: string,
      bytes: Buffer = pictures.png,
      headers: Record<string, string> = {},
    ) =>
      stage().send<AnyBody & { _id?: string }>(who, 'PUT', `${at(id)}/proofs/${proofId}`, {
        body: bytes,
        headers: { ...pictureHeaders(bytes), ...headers },
      }),
    dispute: (who: Person, id: string, more: object = {}) => {
      const body = { _id: randomUUID(), kind: 'damaged', text: 'Wet', ...more };
      return stage().send<Answered>(who, 'POST', `${at(id)}/disputes`, { body });
    },
    /** Another link for the recipient, and with it another code. */
    newLink: (who: Person, id: string) =>
      stage().send<WirePackage & AnyBody>(who, 'POST', `${at(id)}/tracking`),
  };
}

/** One round of what a server deletes in time; resolves with its complaints. */
export async function tidy(stage: Stage, store = openPictureStore(null)): Promise<string[]> {
  const complaints: string[] = [];
  const log = { error: (_: object, message: string) => void complaints.push(message) };
  const { database, now } = stage;
  await startRetention({ database, store, now, proofDays: 90, log })();
  return complaints;
}
