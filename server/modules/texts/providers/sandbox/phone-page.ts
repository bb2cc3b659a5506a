/** The sandbox's phone: what recipients would have got. */
import { showPhone } from '#domain/contact-links.ts';
import { inboxPage } from '#server/http/inbox-page.ts';
import type { Page } from '#server/http/page.ts';
import type { SandboxText } from './repository.ts';

/** Newest first. */
export function phonePage(texts: readonly SandboxText[]): Page {
  return inboxPage({
    what: 'Messages',
    warning: 'Sandbox – no real messages',
    explanation: 'What recipients would get on their phones.',
    ifEmpty: 'No messages yet. Pick up a package to send the first.',
    entries: texts.map(({ sender, recipient, body, at }) => ({
      about: `${sender} to ${showPhone(recipient)}`,
      at,
      body,
    })),
  });
}
