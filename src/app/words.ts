/** What the shell itself says: SPEC.md sections 2 and 8, DESIGN.md section 5. */
import { productName } from '#domain/product.ts';

export const words = {
  tabs: {
    label: 'Main',
    home: 'Home',
    tracking: 'Tracking',
    deliveries: 'Deliveries',
    account: 'Account',
    undone: ({ waiting, attention }: { waiting: number; attention: number }) =>
      [
        waiting > 0 ? `${waiting} not sent yet` : '',
        attention > 0 ? `${attention} ${attention === 1 ? 'needs' : 'need'} attention` : '',
      ]
        .filter(Boolean)
        .join(', '),
  },
  loginRequired: 'Please log in to access this page.',
  notFound: '404 Not Found',
  goHome: 'Go to Home',
  back: 'Back',
  comingSoon: 'Coming Soon ...',
  placeholders: { support: 'Support', promotion: 'Promotion', about: 'About' },
  loading: 'Loading',
  offline: 'Offline',
  unreachable: 'Server unreachable',
  updated: (time: string) => `updated ${time}`,
  neverUpdated: 'not updated yet',
  update: {
    title: `A new version of ${productName} is ready`,
    confirm: 'Update',
    later: 'Later',
  },
  crash: {
    title: 'Something went wrong',
    text: 'This screen could not be shown. What you did is kept on this phone.',
    reload: 'Reload',
  },
} as const;
