/** Text shared from other apps, as fields of a new package. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '#contract/fields.ts';
import { readShared } from '#domain/shared-text.ts';

const read = (text: string, more: { title?: string; url?: string } = {}) =>
  readShared({ title: '', url: '', ...more, text });

describe('shared text', () => {
  it('that looks like an address becomes one', () => {
    expect(read('12 Kofar Mata Road, Kano')).toEqual({
      deliveryAddress: '12 Kofar Mata Road, Kano',
    });
    expect(read('Zoo Road, Kano')).toEqual({ deliveryAddress: 'Zoo Road, Kano' });
    expect(read('No. 4 Aminu Kano Crescent')).toEqual({
      deliveryAddress: 'No. 4 Aminu Kano Crescent',
    });
  });

  it('that is a phone number becomes one, as written', () => {
    expect(read('0803 123 4567')).toEqual({ recipientPhone: '0803 123 4567' });
    expect(read('Call +234 803 123 4567')).toEqual({ recipientPhone: '+234 803 123 4567' });
    expect(read('Phone: 08031234567')).toEqual({ recipientPhone: '08031234567' });
  });

  it('with a whole order fills labelled fields, the rest is the description', () => {
    const text = [
      'Pickup: Sabon Gari Market, Shop 14',
      'Deliver to: 4 Zoo Road, Kano',
      'Name: Musa Ibrahim',
      'Tel: 0803 123 4567, musa@example.ng',
      'Two bolts of cloth, handle with care',
    ].join('\n');
    expect(read(text)).toEqual({
      pickupAddress: 'Sabon Gari Market, Shop 14',
      deliveryAddress: '4 Zoo Road, Kano',
      recipientName: 'Musa Ibrahim',
      recipientPhone: '0803 123 4567',
      recipientEmail: 'musa@example.ng',
      description: 'Two bolts of cloth, handle with care',
    });
  });

  it('keeps links as notes', () => {
    const link = 'https://maps.app.goo.gl/abc123';
    expect(read(`Two bolts of cloth ${link}`)).toEqual({
      description: 'Two bolts of cloth',
      notes: link,
    });
    expect(read('', { title: 'Kurmi Market', url: link })).toEqual({
      description: 'Kurmi Market',
      notes: link,
    });
  });

  it('is not duplicated across fields', () => {
    const link = 'https://shop.example/cloth';
    expect(read(`Blue cloth\n${link}`, { title: 'Blue cloth', url: link })).toEqual({
      description: 'Blue cloth',
      notes: link,
    });
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

  it('keeps later values of a kind in the remaining text', () => {
    expect(read('0803 123 4567 or 0805 765 4321')).toEqual({
      recipientPhone: '0803 123 4567',
      description: 'or 0805 765 4321',
    });
  });

  it('is empty if nothing was shared', () => {
    expect(read(' \n ')).toEqual({});
  });

  it('is cut to field limits quickly, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), fc.string(), fc.string(), (text, title, url) => {
        const fields = readShared({ text, title, url });
        expect((fields.description ?? '').length).toBeLessThanOrEqual(limits.description);
        expect((fields.notes ?? '').length).toBeLessThanOrEqual(limits.notes);
        expect((fields.deliveryAddress ?? '').length).toBeLessThanOrEqual(limits.address);
        expect((fields.pickupAddress ?? '').length).toBeLessThanOrEqual(limits.address);
        expect((fields.recipientName ?? '').length).toBeLessThanOrEqual(limits.name);
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
    const fields = readShared({ title: '', text, url: '' });
    expect(fields.deliveryAddress).toBe('4 Zoo Road, Kano');
    expect(fields.recipientPhone).toBe('+234 803 123 4567');
    expect(fields.description).toBeUndefined();
    const long = readShared({ title: '', text: `${'x'.repeat(999)}😀`, url: '' });
    expect(long.description).toBe('x'.repeat(999));
  });
});
