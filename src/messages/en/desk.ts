/** Words of wide windows only. */
import { localized } from '#messages/localized.ts';

export const desk = localized('desk', {
  list: 'List',
  all: 'All',
  unassigned: 'Unassigned',
  methods: { cash: 'Cash', app: 'App' },
  summary: {
    title: 'Summary',
    noPrice: 'No price yet',
    wrongPrice: 'Check the price',
    noPickup: 'Where to collect it',
    noDelivery: 'Where to deliver it',
  },
  columns: {
    number: 'Number',
    status: 'Status',
    due: 'Due',
    courier: 'Courier',
    payment: 'Payment',
    price: 'Price',
    name: 'Name',
    balance: 'Balance',
  },
  keys: {
    label: 'Keyboard shortcuts',
    search: 'Search',
    next: 'Next',
    previous: 'Previous',
    open: 'Open',
    close: 'Close',
  },
} as const);
