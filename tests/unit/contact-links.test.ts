import { describe, expect, it } from 'vitest';
import {
  callLink,
  internationalNumber,
  mapLink,
  textLink,
  whatsAppLink,
} from '#domain/contact-links.ts';

describe('a phone number for WhatsApp', () => {
  it.each([
    ['0803 123 4567', '2348031234567'],
    ['08031234567', '2348031234567'],
    ['803-123-4567', '2348031234567'],
    ['+234 803 123 4567', '2348031234567'],
    ['+234 (0) 803 123 4567', '2348031234567'],
    ['2348031234567', '2348031234567'],
    ['23408031234567', '2348031234567'],
    ['00234 803 123 4567', '2348031234567'],
    ['+227 90 12 34 56', '22790123456'],
    ['0044 20 7946 0958', '442079460958'],
  ])('%s is %s', (typed, number) => {
    expect(internationalNumber(typed)).toBe(number);
  });

  it('is undefined if it is not a number', () => {
    for (const typed of ['', '112', '0803', '+1', 'call me', '+234 803', '9'.repeat(20)]) {
      expect(internationalNumber(typed)).toBeNull();
    }
  });
});

describe('contact links', () => {
  it('call and text the number as typed, without undialable characters', () => {
    expect(callLink('0803 123-4567')).toBe('tel:08031234567');
    expect(textLink('+234 803 123 4567')).toBe('sms:+2348031234567');
    expect(callLink('+234 (0) 803 123 4567')).toBe('tel:+2348031234567');
    expect(callLink('+2340803 123 4567')).toBe('tel:+2348031234567');
    expect(callLink('none')).toBeNull();
  });

  it('contain digits only', () => {
    expect(callLink('0803"><script>1234567')).toBe('tel:08031234567');
  });

  it('prefill a message', () => {
    const link = whatsAppLink('0803 123 4567', 'About KY-000042 & more');
    expect(link).toBe('https://wa.me/2348031234567?text=About%20KY-000042%20%26%20more');
  });

  it('open the address in the map app', () => {
    expect(mapLink('4 Zoo Road, Kano', null, true)).toBe('geo:0,0?q=4%20Zoo%20Road%2C%20Kano');
    expect(mapLink('4 Zoo Road & Co', null, false)).toBe(
      'https://www.google.com/maps/search/?api=1&query=4%20Zoo%20Road%20%26%20Co',
    );
  });

  it('open the pin in the map app if there is one, labelled with the address', () => {
    const pin = { lat: 11.9702, lng: 8.5434 };
    expect(mapLink('4 Zoo Road (gate 2), Kano', pin, true)).toBe(
      'geo:11.9702,8.5434?q=11.9702%2C8.5434(4%20Zoo%20Road%20%20gate%202%20%2C%20Kano)',
    );
    expect(mapLink('4 Zoo Road', pin, false)).toBe(
      'https://www.google.com/maps/search/?api=1&query=11.9702%2C8.5434',
    );
  });
});
