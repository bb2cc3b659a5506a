/**
 * Reads JPEG, PNG and WebP without decoding them: what the bytes are, how large, and the same
 * picture without metadata. Only parts that are needed to show it are kept, so that whatever a
 * format may carry besides (EXIF, XMP, ICC, comments, thumbnails, a file behind the end) is gone. Of
 * EXIF a new one says how the picture is held, and nothing else.
 */

import { crc32 } from 'node:zlib';
import { maxPictureSide, type PictureType } from '#contract/proof.ts';
import { exifOf, orientationOf } from './orientation.ts';

export interface Picture {
  type: PictureType;
  bytes: Uint8Array;
}

type Size = readonly [width: number, height: number];

/** Null: damaged, or of a kind that is not kept. */
type Parts = { parts: Buffer[]; size: Size } | null;

const isSize = ([width, height]: Size) =>
  width > 0 && height > 0 && width <= maxPictureSide && height <= maxPictureSide;

const ascii = (bytes: Buffer, from: number, length: number) =>
  bytes.toString('latin1', from, from + length);

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
const application0 = 0xe0;
/** Baseline, extended and progressive frames. */
const frames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
/** Tables and restart interval. */
const keptSegments: ReadonlySet<number> = new Set([...frames, 0xc4, 0xdb, 0xdd, startOfScan]);
const exifSegment = 0xe1;
const exifName = Buffer.from('Exif\0\0', 'latin1');
/**
 * The application's segments that are kept: JFIF without a thumbnail, and Adobe's note on how colours
 * are stored. Longer ones have room for anything.
 */
const keptNotes = new Map([
  [application0, { name: 'JFIF\0', length: 16 }],
  [0xee, { name: 'Adobe', length: 14 }],
]);

/** The end of the compressed data that begins at `at`: the next marker that is not part of it. */
function endOfScan(bytes: Buffer, at: number): number {
  for (let end = bytes.indexOf(0xff, at); end >= 0; end = bytes.indexOf(0xff, end + 1)) {
    const next = bytes[end + 1] ?? 0;
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return end;
  }
  return -1;
}

function readJpeg(bytes: Buffer): Parts {
  const parts = [bytes.subarray(0, 2)];
  let size: Size | null = null;
  let hasScan = false;
  let orientation: number | null = null;
  for (let at = 2; at + 4 <= bytes.length || bytes[at + 1] === endOfImage; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) {
      parts.push(bytes.subarray(at, at + 2));
      return size !== null && hasScan ? { parts, size } : null;
    }
    const length = bytes.readUInt16BE(at + 2);
    let end = at + 2 + length;
    if (length < 2 || end > bytes.length) return null;
    if (frames.has(marker)) {
      if (size !== null || length < 8) return null;
      size = [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    }
    if (marker === startOfScan) {
      end = endOfScan(bytes, end);
      if (end < 0) return null;
      hasScan = true;
    }
    const note = keptNotes.get(marker);
    const isNote = length === note?.length && ascii(bytes, at + 4, note.name.length) === note.name;
    const data = bytes.subarray(at + 4, end);
    if (keptSegments.has(marker) || isNote) parts.push(bytes.subarray(at, end));
    else if (marker === exifSegment && data.subarray(0, exifName.length).equals(exifName)) {
      if (orientation === null) {
        orientation = orientationOf(data);
        if (orientation !== null) parts.push(turnedJpeg(orientation));
      }
    }
    // An arithmetic, lossless or hierarchical frame, which no browser shows.
    else if (marker >= 0xc3 && marker <= 0xcf && marker !== 0xc8) return null;
    at = end;
  }
  return null;
}

/** A segment of EXIF that says only how the picture is held. */
function turnedJpeg(orientation: number): Buffer {
  const exif = exifOf(orientation);
  const head = Buffer.from([0xff, exifSegment, 0, 2 + exifName.length + exif.length]);
  return Buffer.concat([head, exifName, exif]);
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const keptChunks: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'sRGB', 'IDAT']);
/** A reader must understand a chunk whose name begins with a capital. */
const isCritical = (name: string) => /^[A-Z]/.test(name);

function turnedPng(orientation: number): Buffer {
  const data = Buffer.concat([Buffer.from('eXIf'), exifOf(orientation)]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length - 4, 0);
  ends.writeUInt32BE(crc32(data), 4);
  return Buffer.concat([ends.subarray(0, 4), data, ends.subarray(4)]);
}

function readPng(bytes: Buffer): Parts {
  const parts: Buffer[] = [pngSignature];
  let size: Size | null = null;
  let hasData = false;
  let orientation: number | null = null;
  for (let at = pngSignature.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = ascii(bytes, at + 4, 4);
    const end = at + 12 + length;
    if (end > bytes.length || (size === null) !== (name === 'IHDR')) return null;
    const chunk = bytes.subarray(at, end);
    if (name === 'IHDR') size = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
    if (name === 'IDAT') hasData = true;
    if (name === 'IEND') {
      parts.push(chunk);
      return size !== null && hasData ? { parts, size } : null;
    }
    if (keptChunks.has(name)) parts.push(chunk);
    else if (name === 'eXIf') {
      if (orientation === null) {
        orientation = orientationOf(chunk.subarray(8, -4));
        if (orientation !== null) parts.push(turnedPng(orientation));
      }
    } else if (isCritical(name)) return null;
    at = end;
  }
  return null;
}

/** Flags of a VP8X header: alpha is kept, animation is refused. */
const alphaFlag = 0x10;
const exifFlag = 0x08;
const animationFlag = 0x02;

function sizeOfWebpChunk(name: string, data: Buffer): Size | null {
  // A longer header, or a second one, has room for anything.
  if (name === 'VP8X' && data.length === 10) {
    return [data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1];
  }
  if (name === 'VP8 ' && data.length >= 10 && data.readUIntBE(3, 3) === 0x9d012a) {
    return [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff];
  }
  if (name === 'VP8L' && data.length >= 5 && data[0] === 0x2f) {
    const bits = data.readUInt32LE(1);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  return null;
}

/** A WebP file with only an orientation. The chunk has an even length, so it needs no padding. */
function turnedWebp(orientation: number): Buffer {
  const exif = exifOf(orientation);
  const head = Buffer.from('EXIF\0\0\0\0');
  head.writeUInt32LE(exif.length, 4);
  return Buffer.concat([head, exif]);
}

function readWebp(bytes: Buffer): Parts {
  const chunks: Buffer[] = [];
  let size: Size | null = null;
  let hasPicture = false;
  let orientation: number | null = null;
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return null;
  for (let at = 12; at + 8 <= end; ) {
    const name = ascii(bytes, at, 4);
    const length = bytes.readUInt32LE(at + 4);
    const next = at + 8 + length + (length % 2);
    if (next > end) return null;
    const chunk = Buffer.from(bytes.subarray(at, next));
    const found = sizeOfWebpChunk(name, chunk.subarray(8, 8 + length));
    if (name === 'VP8X' || name === 'VP8 ' || name === 'VP8L') {
      if (found === null || hasPicture || !isSize(found)) return null;
      if (name === 'VP8X' && size !== null) return null;
      size ??= found;
      hasPicture = name !== 'VP8X';
      if (!hasPicture) {
        const flags = chunk[8] ?? 0;
        if (flags & animationFlag) return null;
        chunk[8] = flags & alphaFlag;
      }
      chunks.push(chunk);
    } else if (name === 'ALPH') chunks.push(chunk);
    else if (name === 'EXIF') orientation ??= orientationOf(chunk.subarray(8, 8 + length));
    at = next;
  }
  if (size === null || !hasPicture) return null;
  const [first] = chunks;
  if (orientation !== null && first && ascii(first, 0, 4) === 'VP8X') {
    first[8] = (first[8] ?? 0) | exifFlag;
    chunks.push(turnedWebp(orientation));
  }
  const header = Buffer.from(bytes.subarray(0, 12));
  header.writeUInt32LE(4 + chunks.reduce((sum, { length }) => sum + length, 0), 4);
  return { parts: [header, ...chunks], size };
}

function typeOf(bytes: Buffer): PictureType | null {
  if (bytes.length < 16) return null;
  if (bytes.readUInt16BE(0) === 0xff00 + startOfImage && bytes[2] === 0xff) return 'image/jpeg';
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'image/png';
  const isWebp = ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP';
  return isWebp ? 'image/webp' : null;
}

const readers = { 'image/jpeg': readJpeg, 'image/png': readPng, 'image/webp': readWebp } as const;

/** The bytes decide what it is, not the name they came under. Null: no picture that is kept. */
export function readPicture(bytes: Buffer): Picture | null {
  const type = typeOf(bytes);
  const read = type && readers[type](bytes);
  return read && isSize(read.size) ? { type, bytes: Buffer.concat(read.parts) } : null;
}
