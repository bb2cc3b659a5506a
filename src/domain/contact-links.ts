/** Links that open the phone's apps for calls, messages and maps. Pure. */
import type { Location } from '#contract/fields.ts';

/**
 * For tel: and sms: links: digits and a leading plus; null if there are too few. Drops the '(0)' of
 * '+234 (0) 803 …', which is dialled domestically only.
 */
export function dialable(phone: string): string | null {
  const isWithCountry = phone.trim().startsWith('+');
  const digits = (isWithCountry ? phone.replace('(0)', '') : phone).replace(/\D/g, '');
  if (digits.length < 3) return null;
  return isWithCountry ? `+${digits.replace(/^2340/, '234')}` : digits;
}

/**
 * The international form for wa.me, without plus or zeros: '0803 123 4567' → '2348031234567'.
 * Without a country code, Nigeria is assumed. Null if it is not a personal number.
 */
export function internationalNumber(phone: string): string | null {
  const digits = phone.replace(/\D/g, '');
  const national = (number: string) => {
    const rest = number.replace(/^0/, '');
    return rest.length === 10 ? `234${rest}` : null;
  };
  if (phone.trim().startsWith('+') || digits.startsWith('00')) {
    const number = digits.replace(/^00/, '');
    if (number.startsWith('234')) return national(number.slice(3));
    return number.length >= 8 && number.length <= 15 ? number : null;
  }
  if (digits.startsWith('234') && digits.length >= 13) return national(digits.slice(3));
  return national(digits);
}

export function callLink(phone: string): string | null {
  const number = dialable(phone);
  return number === null ? null : `tel:${number}`;
}

export function textLink(phone: string): string | null {
  const number = dialable(phone);
  return number === null ? null : `sms:${number}`;
}

/** `text` is the suggested message. */
export function whatsAppLink(phone: string, text: string): string | null {
  const number = internationalNumber(phone);
  return number === null ? null : `https://wa.me/${number}?text=${encodeURIComponent(text)}`;
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
