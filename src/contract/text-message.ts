/** Text messages to recipients (docs/decisions/0085-text-messages.md). */

/**
 * Delivery status of a message. uncertain: the provider never answered, so it may or may not arrive
 * and is not sent again. dropped: outdated before it could be sent, or over the limit.
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

/** Events with a message to the recipient. */
export const textKinds = ['picked_up', 'arrived', 'attempt_failed', 'return_started'] as const;
export type TextKind = (typeof textKinds)[number];
