import type { Translated } from '#messages/localized.ts';
import { account } from './account.ts';
import { app } from './app.ts';
import { area } from './area.ts';
import { auth } from './auth.ts';
import { deliverySteps } from './delivery-steps.ts';
import { desk } from './desk.ts';
import { device } from './device.ts';
import { dispatch } from './dispatch.ts';
import { disputes } from './disputes.ts';
import { fields } from './fields.ts';
import { handover } from './handover.ts';
import { home } from './home.ts';
import { homeSummary } from './home-summary.ts';
import { install } from './install.ts';
import { notifications } from './notifications.ts';
import { operations } from './operations.ts';
import { outbox } from './outbox.ts';
import { packageDetail } from './package-detail.ts';
import { packagePayment } from './package-payment.ts';
import { packages } from './packages.ts';
import { payments } from './payments.ts';
import { payouts } from './payouts.ts';
import { places } from './places.ts';
import { position } from './position.ts';
import { proof } from './proof.ts';
import { pushMessages } from './push-messages.ts';
import { recipientLink } from './recipient-link.ts';
import { recovery } from './recovery.ts';
import { refusals } from './refusals.ts';
import { sending } from './sending.ts';
import { support } from './support.ts';
import { users } from './users.ts';
import { wizard } from './wizard.ts';

export const catalogue = {
  account,
  app,
  area,
  auth,
  desk,
  device,
  dispatch,
  disputes,
  fields,
  handover,
  home,
  homeSummary,
  operations,
  outbox,
  deliverySteps,
  packageDetail,
  packagePayment,
  install,
  notifications,
  packages,
  payments,
  payouts,
  places,
  position,
  proof,
  pushMessages,
  recipientLink,
  recovery,
  refusals,
  sending,
  support,
  users,
  wizard,
};

/** Any part of it in another language. */
export type Translation = Translated<typeof catalogue>;
