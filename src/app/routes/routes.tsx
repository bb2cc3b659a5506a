/** Route table: who may see each screen, in which layout and from which chunk. */
import { Suspense } from 'react';
import { BrowserRouter, type RouteObject, useRoutes } from 'react-router-dom';
import { app as words } from '#messages/en/app.ts';
import { sessionHint } from '#state/session.ts';
import { chunkOf, lazyPart } from './chunks.tsx';
import { AuthRoute, auth, Guard } from './guard.tsx';
import { ComingSoonScreen, NotFoundScreen, WaitingScreen } from './simple-screens.tsx';

const shell = chunkOf(() => import('#app/shell/shell.tsx'));
const home = chunkOf(() => import('./home.tsx'));
const lists = chunkOf(() => import('#features/packages/screens/list-screens.tsx'));
const others = chunkOf(() => import('./other-screens.tsx'));

const Home = home.screen('Home');
const Tracking = lists.screen('TrackingScreen');
const Deliveries = lists.screen('DeliveriesScreen');
const PushInvitation = lazyPart(
  async () => (await import('#features/notifications/components/invitation.tsx')).PushInvitation,
);
const tracking = (tab: 'pending' | 'in-transit') => (
  <Tracking key={tab} tab={tab} invitation={tab === 'pending' && <PushInvitation />} />
);
const deliveries = (tab: 'pending' | 'in-transit' | 'all') => (
  <Deliveries key={tab} tab={tab} invitation={tab === 'pending' && <PushInvitation />} />
);
const soon = words.placeholders;

const withTabs: RouteObject[] = [
  { path: '/', Component: Home },
  { path: 'home', Component: Home },
  { path: 'tracking', element: tracking('pending') },
  { path: 'tracking/pending', element: tracking('pending') },
  { path: 'tracking/in-transit', element: tracking('in-transit') },
  { path: 'delivery', element: deliveries('pending') },
  { path: 'delivery/pending', element: deliveries('pending') },
  { path: 'delivery/in-transit', element: deliveries('in-transit') },
  { path: 'delivery/all', element: deliveries('all') },
  { path: 'account', Component: others.screen('Account') },
];

const withoutTabs: RouteObject[] = [
  { path: 'personal-info', Component: others.screen('PersonalInfoScreen') },
  { path: 'security', Component: others.screen('SecurityScreen') },
  { path: 'notifications', Component: others.screen('NotificationsScreen') },
  { path: 'edit-user/:id', Component: others.screen('EditUser') },
  { path: 'users-list', Component: others.screen('UsersScreen') },
  { path: 'new-user', Component: others.screen('NewUserScreen') },
  { path: 'package-detail/:id', Component: others.screen('PackageDetailScreen') },
  { path: 'edit-package/:id', Component: others.screen('EditPackageScreen') },
  { path: 'new-package', Component: others.screen('NewPackage') },
  { path: 'outbox', Component: others.screen('OutboxScreen') },
  { path: 'payment', Component: others.screen('PaymentScreen') },
  { path: 'deposit', Component: others.screen('DepositScreen') },
  { path: 'support', element: <ComingSoonScreen title={soon.support} /> },
  { path: 'promotion', element: <ComingSoonScreen title={soon.promotion} /> },
  { path: 'about', element: <ComingSoonScreen title={soon.about} /> },
  { path: 'delivery-request', element: <ComingSoonScreen title={soon.about} /> },
];

const routes: RouteObject[] = [
  { path: '/auth', Component: AuthRoute },
  {
    Component: Guard,
    children: [
      {
        Component: shell.screen('Inside'),
        children: [
          { Component: shell.screen('Shell'), children: withTabs },
          { Component: shell.screen('PlainShell'), children: withoutTabs },
        ],
      },
    ],
  },
  { path: '*', Component: NotFoundScreen },
];

export const isListAddress = (path: string): boolean => /^\/(tracking|delivery)(\/|$)/.test(path);

function chunksOf(path: string) {
  if (!sessionHint.isSet()) return [auth];
  if (path === '/' || path === '/home') return [shell, home];
  return [shell, isListAddress(path) ? lists : others];
}

/** Never rejects: the screen requests its chunk again and shows a failure. */
export async function bringScreen(path: string): Promise<void> {
  await Promise.allSettled(chunksOf(path).map(({ bring }) => bring()));
}

function Routes() {
  return <Suspense fallback={<WaitingScreen />}>{useRoutes(routes)}</Suspense>;
}

export function Router() {
  return (
    <BrowserRouter>
      <Routes />
    </BrowserRouter>
  );
}
