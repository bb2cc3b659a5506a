/** Phone numbers as they are shown, and links that open the phone's apps for calls, messages and maps. Pure. */
import type { Location } from '#contract/fields.ts';
import { readPhone } from '#contract/phone.ts';

/**
 * '+2348031234567' → '0803 123 4567', however a row or a form spells it; other countries' in E.164,
 * and what is no number as it is.
 */
export function showPhone(text: string): string {
  const phone = readPhone(text) ?? text;
  const [, start, middle, end] = /^\+234(\d{3})(\d{3})(\d{4})$/.exec(phone) ?? [];
  return start === undefined ? phone : `0${start} ${middle} ${end}`;
}

/**
 * For tel: and sms: links: E.164. Other texts, from a plain server, are reduced to their digits and
 * a leading plus; null if there are too few.
 */
export function dialable(text: string): string | null {
  const phone = readPhone(text);
  if (phone !== null) return phone;
  const digits = text.replace(/\D/g, '');
  if (digits.length < 3) return null;
  return text.trim().startsWith('+') ? `+${digits}` : digits;
}

export function callLink(phone: string): string | null {
  const number = dialable(phone);
  return number === null ? null : `tel:${number}`;
}

/** `text` is the suggested message. iOS looks for it after '&', Android after '?'. */
export function textLink(phone: string, text = ''): string | null {
  const number = dialable(phone);
  if (number === null) return null;
  return `sms:${number}${text && `?&body=${encodeURIComponent(text)}`}`;
}

/** wa.me wants E.164 without the plus. `text` is the suggested message; null: no such number. */
export function whatsAppLink(phone: string, text: string): string | null {
  const number = readPhone(phone);
  return number && `https://wa.me/${number.slice(1)}?text=${encodeURIComponent(text)}`;
}

/** Android: a geo: link, which offers every map app; else a web page. A pin beats the address. */
export function mapLink(address: string, pin: Location | null, isAndroid: boolean): string {
  const place = pin ? `${pin.lat},${pin.lng}` : '';
  // Parentheses delimit the label.
  const name = address.replace(/[()]/g, ' ');
  const query = encodeURIComponent(place || address);
  return isAndroid
    ? `geo:${place || '0,0'}?q=${query}${place && encodeURIComponent(`(${name})`)}`
    : `https://www.google.com/maps/search/?api=1&query=${query}`;
}

/** Attributes of a link that opens the address in the map app; in a browser, in another tab. */
export function navigationLink(address: string, pin: Location | null, userAgent: string) {
  const isAndroid = /Android/i.test(userAgent);
  return {
    href: mapLink(address, pin, isAndroid),
    target: isAndroid ? undefined : '_blank',
    rel: 'noreferrer',
  };
}
