/** How to reach the operator. */
import { localized } from '#messages/localized.ts';

export const support = localized('support', {
  contact: { 'mailto:': 'Email us', 'tel:': 'Call us', 'https:': 'Message us' },
} as const);
