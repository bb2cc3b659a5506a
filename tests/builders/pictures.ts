/** Small true pictures of one pixel, and the same with metadata. */
const decode = (base64: string) => Buffer.from(base64, 'base64');

const jpegBody = decode(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
);
const endOfImage = Buffer.from([0xff, 0xd9]);

export const jpeg = Buffer.concat([jpegBody, endOfImage]);
export const png = decode(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
);
export const webp = decode('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=');

/** What no stored picture may have. */
export const telltale = 'GPS 12.0022 N 8.5919 E';

function segment(marker: number, text: string): Buffer {
  const data = Buffer.from(text, 'latin1');
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

function pngChunk(name: string, text: string): Buffer {
  const data = Buffer.from(text, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(name, 'latin1'), data, Buffer.alloc(4)]);
}

function riffChunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(name), length, data, Buffer.alloc(data.length % 2)]);
}

function riff(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), length, body]);
}

/** EXIF, XMP, ICC, a comment, a thumbnail, and something behind the end. */
export const jpegWithMetadata = Buffer.concat([
  jpeg.subarray(0, 2),
  segment(0xe0, `JFXX\0${telltale}`),
  segment(0xe0, telltale.slice(0, 14)),
  segment(0xee, `Adobe\0${telltale}`),
  segment(0xe1, `Exif\0\0MM\0*${telltale}`),
  segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${telltale}`),
  segment(0xe2, `ICC_PROFILE\0${telltale}`),
  segment(0xfe, telltale),
  jpeg.subarray(2),
  Buffer.from(telltale),
]);

export const pngWithMetadata = Buffer.concat([
  png.subarray(0, 33),
  pngChunk('eXIf', telltale),
  pngChunk('iTXt', telltale),
  pngChunk('iCCP', telltale),
  png.subarray(33),
  Buffer.from(telltale),
]);

/** The flags of EXIF, XMP and ICC; one pixel. */
const extended = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
export const webpWithMetadata = Buffer.concat([
  riff(
    riffChunk('VP8X', extended),
    riffChunk('ICCP', Buffer.from(telltale)),
    webp.subarray(12),
    riffChunk('EXIF', Buffer.from(telltale)),
    riffChunk('XMP ', Buffer.from(`${telltale}!`)),
  ),
  Buffer.from(telltale),
]);

const hidden = Buffer.concat([extended, Buffer.from(telltale)]);
export const webpWithLongHeader = riff(riffChunk('VP8X', hidden), webp.subarray(12));
export const webpWithTwoHeaders = riff(
  ...[riffChunk('VP8X', extended), riffChunk('VP8X', extended), webp.subarray(12)],
);

/** The picture with another width in its header. */
export function widePng(width: number): Buffer {
  const wide = Buffer.from(png);
  wide.writeUInt32BE(width, 16);
  return wide;
}

/** EXIF that says how the picture is held, and where it was taken. */
function exifWith(orientation: number, order: 'II' | 'MM'): Buffer {
  const tiff = Buffer.alloc(8 + 2 + 3 * 12 + 4);
  const isLittle = order === 'II';
  const short = (value: number, at: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const long = (value: number, at: number) =>
    isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  tiff.write(order, 'latin1');
  short(42, 2);
  long(8, 4);
  short(3, 8);
  const entries: [tag: number, type: number, value: number][] = [
    [0x0100, 4, 1],
    [0x0112, 3, orientation],
    [0x8825, 4, tiff.length],
  ];
  entries.forEach(([tag, type, value], nth) => {
    const at = 10 + nth * 12;
    short(tag, at);
    short(type, at + 2);
    long(1, at + 4);
    if (type === 3) short(value, at + 8);
    else long(value, at + 8);
  });
  return Buffer.concat([tiff, Buffer.from(`${telltale} `)]);
}

/** Held as by the tag, with what else EXIF says. */
export const turned = {
  'image/jpeg': (orientation: number, order: 'II' | 'MM' = 'MM') => {
    const exif = exifWith(orientation, order).toString('latin1');
    const [head, rest] = [jpeg.subarray(0, 2), jpeg.subarray(2)];
    return Buffer.concat([head, segment(0xe1, `Exif\0\0${exif}`), segment(0xfe, telltale), rest]);
  },
  'image/png': (orientation: number, order: 'II' | 'MM' = 'MM') => {
    const exif = exifWith(orientation, order).toString('latin1');
    return Buffer.concat([png.subarray(0, 33), pngChunk('eXIf', exif), png.subarray(33)]);
  },
  'image/webp': (orientation: number, order: 'II' | 'MM' = 'MM') =>
    riff(
      riffChunk('VP8X', extended),
      webp.subarray(12),
      riffChunk('EXIF', exifWith(orientation, order)),
    ),
};
