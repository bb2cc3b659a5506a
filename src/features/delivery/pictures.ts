/** Converts a photo or a drawing for storing and sending. */
import { serverNowIso } from '#data/use-now.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import { workerUrl } from '#ui/trusted-types.ts';
import { shrink } from './shrink.ts';
import address from './shrink-worker.ts?worker&url';

const drawing = {
  create: (width: number, height: number) =>
    Object.assign(document.createElement('canvas'), { width, height }),
  encode: (canvas: HTMLCanvasElement, type: string, quality: number) =>
    new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, type, quality);
    }),
};

/** Null: the worker did not start, or could not read it. A worker per photo returns all memory. */
function shrinkInWorker(file: Blob): Promise<Blob | null> {
  return new Promise((resolve) => {
    const worker = new Worker(workerUrl(address), { type: 'module' });
    const end = (blob: Blob | null) => {
      worker.terminate();
      resolve(blob);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<Blob | null>) => end(data));
    worker.addEventListener('error', () => end(null));
    worker.postMessage(file);
  });
}

/** Rejects if it is not a picture that this browser can read. */
export async function shrinkPhoto(file: Blob): Promise<Blob> {
  const shrunk = 'OffscreenCanvas' in globalThis ? await shrinkInWorker(file) : null;
  return shrunk ?? shrink(file, drawing);
}

const base64 = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)));

export async function proofOf(
  blob: Blob,
  about: Pick<ProofPicture, 'id' | 'packageId' | 'kind'>,
): Promise<ProofPicture> {
  const bytes = await blob.arrayBuffer();
  const digest = base64(await crypto.subtle.digest('SHA-256', bytes));
  return { ...about, type: blob.type, bytes, digest, createdAt: serverNowIso() };
}
