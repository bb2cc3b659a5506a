import { describe, expect, it } from 'vitest';
import webPush from 'web-push';
import { readConfig } from '#server/config/config.ts';

const [pair, other] = [webPush.generateVAPIDKeys(), webPush.generateVAPIDKeys()];

describe('the VAPID settings', () => {
  it('accept a pair and a contact', () => {
    const subject = 'mailto:you@kaya.example';
    const { vapid } = readConfig({
      ...{ VAPID_PUBLIC_KEY: pair.publicKey, VAPID_PRIVATE_KEY: pair.privateKey },
      VAPID_SUBJECT: subject,
    });
    expect(vapid).toEqual({ subject, keys: pair });
    const secure = readConfig({ PUBLIC_URL: 'https://kaya.example' });
    expect(secure.vapid).toEqual({ subject: 'https://kaya.example', keys: undefined });
  });

  it.each([
    [{ VAPID_PUBLIC_KEY: pair.publicKey }, 'VAPID_PRIVATE_KEY'],
    [{ VAPID_PRIVATE_KEY: pair.privateKey }, 'VAPID_PUBLIC_KEY'],
    [{ VAPID_PUBLIC_KEY: pair.publicKey, VAPID_PRIVATE_KEY: other.privateKey }, 'VAPID_PUBLIC_KEY'],
    [{ VAPID_PRIVATE_KEY: 'short' }, 'VAPID_PRIVATE_KEY'],
    [{ VAPID_SUBJECT: 'call me' }, 'VAPID_SUBJECT'],
  ])('refuse %#, naming the fault and showing no key', (environment, name) => {
    const read = () => readConfig(environment);
    expect(read).toThrow(new RegExp(`^${name} `));
    for (const key of [pair.privateKey, other.privateKey, 'short']) {
      expect(read).not.toThrow(key);
    }
  });
});
