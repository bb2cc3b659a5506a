/** How to reach the operator. */
import { localized } from '#messages/localized.ts';

export const support = localized('support', {
  contact: { 'mailto:': 'Email us', 'tel:': 'Call us', 'https:': 'Message us' },
  noMail: 'Kaya can’t send email here. Ask a Kaya dispatcher for a new password.',
} as const);
