/** Text messages to recipients (docs/decisions/0085-text-messages.md). */

/**
 * What became of a message. uncertain: the provider never answered, so it may or may not arrive, and
 * is not sent again. dropped: it was no longer true when it could be sent, or one too many.
 */
export const textStatuses = [
  'waiting',
  'sending',
  'sent',
  'delivered',
  'failed',
  'uncertain',
  'dropped',
] as const;
export type TextStatus = (typeof textStatuses)[number];

/** What a recipient is told of. */
export const textKinds = ['picked_up', 'arrived', 'attempt_failed', 'return_started'] as const;
export type TextKind = (typeof textKinds)[number];
