/** A PNG of 256 × 256 px in two greens, distinguishable from an empty canvas. */
import { crc32, deflateSync } from 'node:zlib';

const sizePx = 256;
const squarePx = 32;
const colours = [
  [205, 222, 178],
  [184, 205, 158],
] as const;

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(body.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

export function checkerboard(): Buffer {
  const rows = Array.from({ length: sizePx }, (_, y) => {
    const pixels = Array.from({ length: sizePx }, (_, x) => {
      const isOdd = (Math.floor(x / squarePx) + Math.floor(y / squarePx)) % 2;
      return colours[isOdd === 1 ? 1 : 0];
    });
    return Buffer.from([0, ...pixels.flat()]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(sizePx, 0);
  header.writeUInt32BE(sizePx, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
