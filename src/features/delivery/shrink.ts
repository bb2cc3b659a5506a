/**
 * Makes a photo small enough for a slow network. Drawing it again also drops its metadata, such as
 * where it was taken. Runs in a worker, or on the page where a worker cannot draw.
 */

export const longestSide = 1_280;
export const mostBytes = 250_000;

/** Tried in turn; below the last it is made smaller instead. */
const qualities = [0.8, 0.65, 0.5, 0.35];
/** A decoded photo of 12 megapixels takes 48 MB: it is scaled as it is decoded. */
const largeFileBytes = 500_000;
const smaller = 0.75;

interface Canvas {
  getContext(
    kind: '2d',
  ): Pick<
    CanvasRenderingContext2D,
    'drawImage' | 'fillRect' | 'fillStyle' | 'imageSmoothingQuality'
  > | null;
}

/** How a canvas is made and encoded, in a worker and on the page. */
export interface Drawing<C extends Canvas> {
  create(width: number, height: number): C;
  encode(canvas: C, type: string, quality: number): Promise<Blob | null>;
}

async function decode(file: Blob): Promise<ImageBitmap> {
  if (file.size > largeFileBytes) {
    const options = { resizeWidth: longestSide, resizeQuality: 'medium' } as const;
    const bitmap = await createImageBitmap(file, options).catch(() => null);
    if (bitmap) return bitmap;
  }
  return createImageBitmap(file);
}

/** Rejects if it is not a picture that this browser can read. */
export async function shrink<C extends Canvas>(file: Blob, drawing: Drawing<C>): Promise<Blob> {
  const bitmap = await decode(file);
  try {
    let scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
    // Safari writes no WebP and answers with a PNG.
    let type = 'image/webp';
    for (;;) {
      const width = Math.max(1, Math.round(bitmap.width * scale));
      const height = Math.max(1, Math.round(bitmap.height * scale));
      const canvas = drawing.create(width, height);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('There is no canvas.');
      context.fillStyle = '#fff';
      context.fillRect(0, 0, width, height);
      context.imageSmoothingQuality = 'medium';
      context.drawImage(bitmap, 0, 0, width, height);
      for (const quality of qualities) {
        let blob = await drawing.encode(canvas, type, quality);
        if (blob?.type !== type) {
          type = 'image/jpeg';
          blob = await drawing.encode(canvas, type, quality);
        }
        if (!blob) throw new Error('The picture could not be encoded.');
        if (blob.size <= mostBytes) return blob;
      }
      scale *= smaller;
    }
  } finally {
    bitmap.close();
  }
}
