/** Text shared from other apps, as fields of a new package. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '#contract/fields.ts';
import { readShared } from '#domain/shared-text.ts';

const read = (text: string, more: { title?: string; url?: string } = {}) =>
  readShared({ title: '', url: '', ...more, text });

const order = [
  'Pickup: Sabon Gari Market, Shop 14',
  'Deliver to: 4 Zoo Road, Kano',
  'Name: Musa Ibrahim',
  'Tel: 0803 123 4567, musa@example.ng',
  'Two bolts of cloth, handle with care',
].join('\n');
const { description, notes, address, name } = limits;
const longest = {
  description,
  notes,
  deliveryAddress: address,
  pickupAddress: address,
  recipientName: name,
};
const link = 'https://maps.app.goo.gl/abc123';

describe('shared text', () => {
  it.each([
    ['12 Kofar Mata Road, Kano', { deliveryAddress: '12 Kofar Mata Road, Kano' }],
    ['Zoo Road, Kano', { deliveryAddress: 'Zoo Road, Kano' }],
    ['No. 4 Aminu Kano Crescent', { deliveryAddress: 'No. 4 Aminu Kano Crescent' }],
    ['0803 123 4567', { recipientPhone: '0803 123 4567' }],
    ['Call +234 803 123 4567', { recipientPhone: '+234 803 123 4567' }],
    ['Phone: 08031234567', { recipientPhone: '08031234567' }],
    [
      order,
      {
        pickupAddress: 'Sabon Gari Market, Shop 14',
        deliveryAddress: '4 Zoo Road, Kano',
        recipientName: 'Musa Ibrahim',
        recipientPhone: '0803 123 4567',
        recipientEmail: 'musa@example.ng',
        description: 'Two bolts of cloth, handle with care',
      },
    ],
    [
      '0803 123 4567 or 0805 765 4321',
      { recipientPhone: '0803 123 4567', description: 'or 0805 765 4321' },
    ],
    [
      'Kurmi Market\nhttps://maps.google.com/?q=12.0022,8.5919',
      { deliveryAddress: 'Kurmi Market', deliveryLocation: '12.0022, 8.5919' },
    ],
    [
      'Pickup: Gate 2, Zoo Road geo:12.0022,8.5919',
      { pickupAddress: 'Gate 2, Zoo Road', pickupLocation: '12.0022, 8.5919' },
    ],
    ['geo:12.0022,8.5919', { deliveryLocation: '12.0022, 8.5919' }],
    [
      'Kurmi Market\nhttps://maps.app.goo.gl/abc123',
      { description: 'Kurmi Market', notes: 'https://maps.app.goo.gl/abc123' },
    ],
    [
      'Musa’s shop (12.0022, 8.5919)',
      { deliveryAddress: 'Musa’s shop', deliveryLocation: '12.0022, 8.5919' },
    ],
    [`Two bolts of cloth ${link}`, { description: 'Two bolts of cloth', notes: link }],
    [' \n ', {}],
  ])('%j becomes fields', (text, fields) => {
    expect(read(text)).toEqual(fields);
  });

  it.each([
    'NGN 250,000 for 2 bags',
    '2026-11-22 14:30',
    'Order 20261122143055',
    '10.00120034567',
    'I am on my way',
  ])('takes nothing else for a number or an address: %s', (text) => {
    expect(read(text)).toEqual({ description: text });
  });

  it('takes title and URL too, each once', () => {
    const fields = { description: 'Kurmi Market', notes: link };
    expect(read('', { title: 'Kurmi Market', url: link })).toEqual(fields);
    expect(read(`Kurmi Market\n${link}`, { title: 'Kurmi Market', url: link })).toEqual(fields);
  });

  it('is cut to field limits quickly, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), fc.string(), fc.string(), (text, title, url) => {
        const fields = readShared({ text, title, url });
        for (const [name, limit] of Object.entries(longest)) {
          expect((fields[name as keyof typeof longest] ?? '').length, name).toBeLessThanOrEqual(
            limit,
          );
        }
      }),
    );
    const beganAt = performance.now();
    for (const piece of ['0', '0 8', '(', 'a@', '08-', 'to:', '+1(']) {
      read(piece.repeat(20_000 / piece.length));
    }
    expect(performance.now() - beganAt).toBeLessThan(2000);
  });

  it('drops direction marks, controls and lone surrogates', () => {
    const text =
      'Deliver to: \u202A4 Zoo Road, Kano\u202C\nCall \u202A+234 803 123 4567\u202C\u0007';
    expect(read(text)).toEqual({
      deliveryAddress: '4 Zoo Road, Kano',
      recipientPhone: '+234 803 123 4567',
    });
    expect(read(`${'x'.repeat(999)}😀`).description).toBe('x'.repeat(999));
  });
});
