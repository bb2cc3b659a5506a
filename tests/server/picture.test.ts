/** What is stored of a picture, and what is none. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxPictureSide } from '#contract/proof.ts';
import { readPicture } from '#server/modules/proofs/picture.ts';
import * as pictures from '#tests/builders/pictures.ts';

const { jpeg, png, webp, telltale, widePng } = pictures;

describe('a picture', () => {
  it.each([
    ['image/jpeg', jpeg, pictures.jpegWithMetadata],
    ['image/png', png, pictures.pngWithMetadata],
    ['image/webp', webp, pictures.webpWithMetadata],
  ] as const)('of type %s is kept as it is, without its metadata', (type, plain, tagged) => {
    const kept = readPicture(plain);
    expect(kept?.type).toBe(type);
    expect(Buffer.from(kept?.bytes ?? [])).toEqual(plain);
    expect(tagged.includes(telltale)).toBe(true);
    const stripped = readPicture(tagged);
    expect(stripped?.type).toBe(type);
    const bytes = Buffer.from(stripped?.bytes ?? []);
    expect(bytes.toString('latin1')).not.toMatch(/GPS|Exif|EXIF|XMP|ICC|JFXX|xap/);
    // Again it loses nothing more.
    expect(Buffer.from(readPicture(bytes)?.bytes ?? [])).toEqual(bytes);
    if (type !== 'image/webp') expect(bytes).toEqual(plain);
  });

  describe.each(['image/jpeg', 'image/png', 'image/webp'] as const)('of type %s', (type) => {
    const kept = (bytes: Buffer) => Buffer.from(readPicture(bytes)?.bytes ?? []);

    it.each(['II', 'MM'] as const)('stays as it is held, and says no place: %s', (order) => {
      for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
        const bytes = kept(pictures.turned[type](orientation, order));
        const exif = bytes.subarray(bytes.indexOf('II*\0'));
        expect([exif.readUInt16LE(10), exif.readUInt16LE(18)]).toEqual([0x0112, orientation]);
        expect(bytes.toString('latin1')).not.toContain('GPS');
        expect(bytes.length).toBeLessThan(pictures.turned[type](orientation).length);
        expect(kept(bytes)).toEqual(bytes);
      }
    });

    it('says nothing where it is upright, or nobody knows how', () => {
      for (const orientation of [0, 1, 9, 256]) {
        expect(kept(pictures.turned[type](orientation)).toString('latin1')).not.toMatch(
          /exif|II\*/i,
        );
      }
      const turned = pictures.turned[type](6);
      const at = turned.indexOf('MM\0*');
      for (let cut = 0; cut < 30; cut += 1) {
        const damaged = Buffer.from(turned).fill(0xff, at + cut, at + 44);
        expect(kept(damaged).toString('latin1')).not.toContain('GPS');
      }
    });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(400_000)],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>                 ')],
    ['HTML behind a JPEG’s first bytes', Buffer.from('\xff\xd8\xff<script>1</script>', 'latin1')],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;            ', 'latin1')],
    ['a PDF', Buffer.from('%PDF-1.7 %%EOF                       ')],
    ['a JPEG without a frame', Buffer.concat([jpeg.subarray(0, 20), Buffer.from([0xff, 0xd9])])],
    ['a PNG too wide', widePng(maxPictureSide + 1)],
    ['a PNG without width', widePng(0)],
    ['an animated WebP', Buffer.from(pictures.webpWithMetadata).fill(2, 20, 21)],
    ['a WebP with more in its header', pictures.webpWithLongHeader],
    ['a WebP with two headers', pictures.webpWithTwoHeaders],
  ])('is not %s', (_, bytes) => {
    expect(readPicture(bytes)).toBeNull();
  });

  it('is not one cut anywhere', () => {
    for (const whole of [jpeg, png, webp]) {
      for (let end = 0; end < whole.length; end += 1) {
        expect(readPicture(whole.subarray(0, end)), `cut at ${end}`).toBeNull();
      }
    }
  });

  it('is read without a fault, whatever the bytes are', () => {
    const sample = fc.constantFrom(jpeg, png, pictures.webpWithMetadata);
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(sample, fc.array(change, { maxLength: 8 }), (whole, changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const kept = readPicture(bytes);
        if (kept) expect(readPicture(Buffer.from(kept.bytes))).toEqual(kept);
      }),
      { numRuns: 3000 },
    );
  });
});
