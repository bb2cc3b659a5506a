import { shrink } from './shrink.ts';

const drawing = {
  create: (width: number, height: number) => new OffscreenCanvas(width, height),
  encode: (canvas: OffscreenCanvas, type: string, quality: number) =>
    canvas.convertToBlob({ type, quality }),
};

self.addEventListener('message', async ({ data }: MessageEvent<Blob>) => {
  self.postMessage(await shrink(data, drawing).catch(() => null));
});
