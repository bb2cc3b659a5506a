/** What the server's sandbox has mailed. */
import { expect } from '@playwright/test';
import type { Backstage } from './backstage.ts';

interface Mail {
  to: string;
  subject: string;
  text: string;
  at: string;
}

/** Newest first. */
export async function mailsTo({ serverUrl }: Backstage, email: string): Promise<Mail[]> {
  const headers = { accept: 'application/json' };
  const answer = await fetch(`${serverUrl}/sandbox/mail`, { headers });
  const mails = (await answer.json()) as Mail[];
  return mails.filter(({ to }) => to === email);
}

/**
 * The address, with its token, of the newest link to this screen, once as many have been mailed: in the
 * mail it leads to the server, past the phone's proxy.
 */
export async function mailedLink(
  backstage: Backstage,
  email: string,
  screen: 'reset-password' | 'confirm-email',
  count = 1,
): Promise<string> {
  const links = async () =>
    (await mailsTo(backstage, email)).flatMap(
      ({ text }) => new RegExp(`/${screen}#token=[\\w-]{43}(?![\\w-])`).exec(text)?.[0] ?? [],
    );
  await expect.poll(async () => (await links()).length).toBe(count);
  return (await links())[0] ?? '';
}
