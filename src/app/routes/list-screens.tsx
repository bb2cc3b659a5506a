/** The lists under the tabs, in a chunk of their own: nobody begins with them but by an address. */

import { PushInvitation } from '#app/pwa/notifications.tsx';
import { DeliveriesScreen, TrackingScreen } from '#features/packages/screens/list-screens.tsx';

export const screens = {
  TrackingPending: () => <TrackingScreen tab="pending" invitation={<PushInvitation />} />,
  TrackingInTransit: () => <TrackingScreen tab="in-transit" />,
  DeliveriesPending: () => <DeliveriesScreen tab="pending" invitation={<PushInvitation />} />,
  DeliveriesInTransit: () => <DeliveriesScreen tab="in-transit" />,
  DeliveriesAll: () => <DeliveriesScreen tab="all" />,
};
