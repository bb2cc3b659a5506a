/** The shell and the screens that one begins with after signing in. */
import { DeliveriesScreen, TrackingScreen } from '#features/packages/list-screens.tsx';
import { Home } from './home.tsx';
import { Inside } from './inside.tsx';
import { PlainShell, Shell } from './shell.tsx';

export const screens = {
  Inside,
  Shell,
  PlainShell,
  Home,
  TrackingPending: () => <TrackingScreen tab="pending" />,
  TrackingInTransit: () => <TrackingScreen tab="in-transit" />,
  DeliveriesPending: () => <DeliveriesScreen tab="pending" />,
  DeliveriesInTransit: () => <DeliveriesScreen tab="in-transit" />,
  DeliveriesAll: () => <DeliveriesScreen tab="all" />,
};
