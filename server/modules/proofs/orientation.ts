/** How a picture is held, by the one tag of EXIF (a TIFF) that says so. */

const orientationTag = 0x0112;
const short = 3;
const entryLength = 12;
/** Some encoders of WebP put it before the TIFF. */
const prefix = Buffer.from('Exif\0\0', 'latin1');

/** 2 to 8: turned or mirrored, as by the tag; null: upright, or nothing is said of it. */
export function orientationOf(exif: Buffer): number | null {
  const tiff = exif.subarray(0, prefix.length).equals(prefix) ? exif.subarray(prefix.length) : exif;
  if (tiff.length < 8) return null;
  const order = tiff.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return null;
  const isLittle = order === 'II';
  const short16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (short16(2) !== 42 || directory + 2 > tiff.length) return null;
  const count = short16(directory);
  for (let nth = 0; nth < count; nth += 1) {
    const at = directory + 2 + nth * entryLength;
    if (at + entryLength > tiff.length) return null;
    if (short16(at) !== orientationTag) continue;
    const value = short16(at + 8);
    return short16(at + 2) === short && value >= 2 && value <= 8 ? value : null;
  }
  return null;
}

/** A TIFF without anything but that tag. */
export function exifOf(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('II*\0\x08', 'latin1');
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(orientationTag, 10);
  tiff.writeUInt16LE(short, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(orientation, 18);
  return tiff;
}
