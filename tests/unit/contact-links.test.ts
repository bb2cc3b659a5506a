import { describe, expect, it } from 'vitest';
import { callLink, mapLink, textLink, whatsAppLink } from '#domain/contact-links.ts';

describe('a phone number for WhatsApp', () => {
  /** How numbers are read: phone.test.ts. */
  it.each([
    ['0803 123 4567', '2348031234567'],
    ['+234 (0) 803 123 4567', '2348031234567'],
    ['0044 20 7946 0958', '442079460958'],
  ])('%s is %s', (typed, number) => {
    expect(whatsAppLink(typed, 'Hi')).toBe(`https://wa.me/${number}?text=Hi`);
  });

  it.each(['', '112', 'call me'])('%j is none', (typed) => {
    expect(whatsAppLink(typed, 'Hi')).toBeNull();
  });
});

it.each([
  ['0803 123-4567', 'tel:+2348031234567'],
  ['+44 (0) 20 7946 0958', 'tel:+442079460958'],
  ['112', 'tel:112'],
  ['+234 (0) 803 123 4567', 'tel:+2348031234567'],
  ['+2340803 123 4567', 'tel:+2348031234567'],
  ['0803"><script>1234567', 'tel:08031234567'],
  ['none', null],
])('calling %s dials %s', (typed, link) => {
  expect(callLink(typed)).toBe(link);
});

it('messages go to the number, with a text', () => {
  expect(textLink('+234 803 123 4567')).toBe('sms:+2348031234567');
  const withText = textLink('+234 803 123 4567', 'KY-000042: https://kaya.example');
  expect(withText).toBe('sms:+2348031234567?&body=KY-000042%3A%20https%3A%2F%2Fkaya.example');
  const link = whatsAppLink('0803 123 4567', 'About KY-000042 & more');
  expect(link).toBe('https://wa.me/2348031234567?text=About%20KY-000042%20%26%20more');
});

const pin = { lat: 11.9702, lng: 8.5434 };
const google = 'https://www.google.com/maps/search/?api=1&query=';

it.each([
  ['4 Zoo Road, Kano', null, true, 'geo:0,0?q=4%20Zoo%20Road%2C%20Kano'],
  ['4 Zoo Road & Co', null, false, `${google}4%20Zoo%20Road%20%26%20Co`],
  ['4 Zoo (gate 2)', pin, true, 'geo:11.9702,8.5434?q=11.9702%2C8.5434(4%20Zoo%20%20gate%202%20)'],
  ['4 Zoo Road', pin, false, `${google}11.9702%2C8.5434`],
])('the map of %j at %j, in an app: %s', (address, at, hasApp, link) => {
  expect(mapLink(address, at, hasApp)).toBe(link);
});
