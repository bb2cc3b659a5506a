/** All that the app says, in English. */
import { account } from './account.ts';
import { app } from './app.ts';
import { auth } from './auth.ts';
import { dispatch } from './dispatch.ts';
import { fields } from './fields.ts';
import { home } from './home.ts';
import { operations } from './operations.ts';
import { outbox } from './outbox.ts';
import { packagePayment } from './package-payment.ts';
import { packages } from './packages.ts';
import { payments } from './payments.ts';
import { refusals } from './refusals.ts';
import { sending } from './sending.ts';
import { users } from './users.ts';

export const catalogue = {
  ...{ account, app, auth, dispatch, fields, home, operations, outbox, packagePayment, packages },
  ...{ payments, refusals, sending, users },
};
export type Catalogue = typeof catalogue;
