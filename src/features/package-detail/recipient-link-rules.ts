/** The link and code for a recipient, and the message that carries them. Pure. */
import { noVersion } from '#contract/version.ts';
import { groupedCode } from '#domain/codes.ts';
import type { PackageView } from '#domain/overlay.ts';
import { progressOf } from '#domain/package-state.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';
import { packages } from '#messages/en/packages.ts';
import { recipientLink as words } from '#messages/en/recipient-link.ts';

export interface Telling {
  /** Absolute; null: not there yet, or the server gives none. */
  link: string | null;
  /** Six digits; null: none is needed, or it is on its way back. */
  code: string | null;
  /** The link comes with the package's first sending. */
  isUnsent: boolean;
}

/** Null: nothing to tell, or not by this reader. `origin`: of this app, without a path. */
export function tellingOf(actor: Actor, view: PackageView, origin: string): Telling | null {
  const facts = factsOf(view);
  if (!can(actor, 'replaceTracking', facts).isAllowed) return null;
  const isReturning = progressOf(facts) === 'returning';
  const link = view.trackingPath ? `${origin}${view.trackingPath}` : null;
  const code = (!isReturning && view.dropoffCode) || null;
  // Rows of a server without versions have a number.
  const isUnsent = view.version === noVersion && view.packageId === '';
  return link || code || isUnsent ? { link, code, isUnsent } : null;
}

/** One text message where the address is short: plain letters, at most 160 of them. */
export function messageOf(view: PackageView, { link, code }: Telling): string {
  const { coming, goingBack, follow, codeLine } = words.message;
  const opening = progressOf(factsOf(view)) === 'returning' ? goingBack : coming;
  return [
    opening(view.packageId || packages.noNumber) + (link ? ` ${follow(link)}` : ''),
    ...(code ? [codeLine(groupedCode(code))] : []),
  ].join('\n');
}

/**
 * May a label lead to the recipient's page? Who carries the package reads its label, and the page
 * says the code that proves the delivery (docs/decisions/0084-sharing-the-link.md).
 */
export function labelLinkOf(view: PackageView, { link }: Telling): string | null {
  return view.handover === 'code' ? null : link;
}
