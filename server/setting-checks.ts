/** What settings may look like (config.ts). Each takes the setting as it was given. */
import { isIP } from 'node:net';
import * as v from 'valibot';
import { emailSchema } from '#contract/fields.ts';

export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);
}

export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

export function isOrigin(text: string): boolean {
  return isHttpUrl(text) && [new URL(text).origin, `${new URL(text).origin}/`].includes(text);
}

/** Push services refuse what nobody could be reached at. */
export function isVapidSubject(text: string): boolean {
  if (text.startsWith('mailto:')) return v.is(emailSchema, text.slice('mailto:'.length));
  return /^https:\/\//.test(text) && URL.canParse(text);
}

/** 'on', 'off', or addresses and ranges with commas between. */
export function isProxyTrust(setting: string): boolean {
  if (setting === 'on' || setting === 'off') return true;
  return setting.split(',').every((part) => {
    const [address = '', prefix, ...rest] = part.trim().split('/');
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    const isRange = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
    return bits > 0 && isRange && rest.length === 0;
  });
}
