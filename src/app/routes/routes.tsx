/** Route table: who may see each screen, in which layout and from which chunk. */
import { type ReactElement, Suspense, useEffect, useRef } from 'react';
import {
  BrowserRouter,
  matchRoutes,
  type RouteObject,
  useNavigate,
  useRoutes,
} from 'react-router-dom';
import { followLaunches } from '#app/pwa/launches.ts';
import { sessionHint } from '#state/session.ts';
import { lazyPart } from '#ui/lazy-part.tsx';
import { chunkOf } from './chunks.tsx';
import { AuthRoute, AuthScreen, Guard } from './guard.tsx';
import { NotFoundScreen, WaitingScreen } from './simple-screens.tsx';

const inside = chunkOf(() => import('#app/inside.ts'));
const list = chunkOf(() => import('#features/package-list/screens/list-screens.tsx'));
const other = chunkOf(() => import('./other-screens.tsx'));
const recovery = chunkOf(() => import('./recovery-screens.tsx'));

const Inside = inside('Inside');
const Home = inside('Home');
const Tracking = list('TrackingScreen');
const Deliveries = list('DeliveriesScreen');
const PushInvitation = lazyPart(
  async () => (await import('#features/notifications/components/invitation.tsx')).PushInvitation,
);
const tracking = (tab: 'pending' | 'in-transit') => (
  <Tracking key={tab} tab={tab} invitation={tab === 'pending' && <PushInvitation />} />
);
const deliveries = (tab: 'pending' | 'in-transit' | 'all') => (
  <Deliveries key={tab} tab={tab} invitation={tab === 'pending' && <PushInvitation />} />
);
const ComingSoon = other('ComingSoonScreen');

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
  { path: 'account', Component: other('Account') },
];

const withoutTabs: RouteObject[] = [
  { path: 'personal-info', Component: other('PersonalInfoScreen') },
  { path: 'security', Component: other('SecurityScreen') },
  { path: 'notifications', Component: other('NotificationsScreen') },
  { path: 'edit-user/:id', Component: other('EditUser') },
  { path: 'users-list', Component: other('UsersScreen') },
  { path: 'new-user', Component: other('NewUserScreen') },
  { path: 'package-detail/:id', Component: other('PackageDetail') },
  { path: 'edit-package/:id', Component: other('EditPackageScreen') },
  { path: 'new-package', Component: other('NewPackage') },
  { path: 'outbox', Component: other('OutboxScreen') },
  { path: 'payment', Component: other('PaymentScreen') },
  { path: 'deposit', Component: other('DepositScreen') },
  { path: 'support', element: <ComingSoon name="support" /> },
  { path: 'promotion', element: <ComingSoon name="promotion" /> },
  { path: 'about', element: <ComingSoon name="about" /> },
  { path: 'delivery-request', element: <ComingSoon name="about" /> },
];

const routes: RouteObject[] = [
  { path: '/auth', Component: AuthRoute },
  { path: '/forgot-password', Component: recovery('ForgotPassword') },
  { path: '/reset-password', Component: recovery('ResetPassword') },
  { path: '/confirm-email', Component: recovery('ConfirmEmail') },
  {
    Component: Guard,
    children: [
      {
        Component: Inside,
        children: [
          { Component: inside('Shell'), children: withTabs },
          { Component: inside('ScreenFrame'), children: withoutTabs },
        ],
      },
    ],
  },
  { path: '*', Component: NotFoundScreen },
];

interface Brought {
  bring?: () => Promise<unknown>;
}

/** The shell's parts for wide windows. */
const desk: Brought = { bring: async () => (await Inside.bring()).bringDesk() };

/** The chunks of the matched routes; the guard and /auth come with the first chunk. */
function screensAt(path: string): Brought[] {
  const screens = (matchRoutes(routes, path) ?? []).map(({ route: { Component, element } }) => {
    return (Component ?? (element as ReactElement).type) as Brought;
  });
  const ofSession: readonly unknown[] = [Guard, AuthRoute];
  const isOfSession = screens.some((screen) => ofSession.includes(screen));
  if (isOfSession && !sessionHint.isSet()) return [AuthScreen];
  return screens.includes(Inside) ? [...screens, desk] : screens;
}

/** Never rejects: the screen requests its chunk again and shows a failure. */
export async function bringScreen(path: string): Promise<void> {
  await Promise.allSettled(screensAt(path).map(({ bring }) => bring?.()));
}

function Routes() {
  const navigate = useNavigate();
  const open = useRef(navigate);
  open.current = navigate;
  // Also while signed out: a mailed link may launch the installed app.
  useEffect(() => followLaunches((address) => void open.current(address)), []);
  return <Suspense fallback={<WaitingScreen />}>{useRoutes(routes)}</Suspense>;
}

export function Router() {
  return (
    <BrowserRouter>
      <Routes />
    </BrowserRouter>
  );
}
