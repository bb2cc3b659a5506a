/**
 * Text messages for recipients. In the characters of GSM 03.38 and, with a short host, within the
 * 160 of one message: each further one costs as much again.
 */
import type { TextKind } from '#contract/text-message.ts';
import { productName } from '#contract/version.ts';

export interface Facts {
  kind: TextKind;
  /** KY-000123. */
  number: string;
  /** The address of the recipient's page. */
  link: string;
  /** The drop-off code; null: none is needed. */
  code: string | null;
}

const openings: Record<TextKind, (number: string) => string> = {
  picked_up: (number) => `Package ${number} is on its way to you.`,
  arrived: (number) => `The courier is here with package ${number}.`,
  attempt_failed: (number) => `Package ${number} could not be delivered. See what to do:`,
  return_started: (number) => `Package ${number} is going back to its sender.`,
};

/** By which a provider's report is recognised whose message has no id here yet. */
export function openingOf({ kind, number }: Pick<Facts, 'kind' | 'number'>): string {
  return `${productName}: ${openings[kind](number)}`;
}

export function bodyOf({ kind, number, link, code }: Facts): string {
  const isOnTheWay = kind === 'picked_up' || kind === 'arrived';
  const given = isOnTheWay && code !== null ? ` Drop-off code: ${code}` : '';
  return `${openingOf({ kind, number })} ${link}${given}`;
}
