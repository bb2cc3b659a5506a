import { useAtomValue } from 'jotai';
import { type ComponentType, lazy, type RefObject, Suspense, useRef } from 'react';
import { BrowserRouter, Navigate, Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import { AuthScreen } from '#features/auth/auth-screen.tsx';
import { sessionAtom } from '#state/session.ts';
import { Frame } from '#ui/frame.tsx';
import { Guard } from './guard.tsx';
import { ComingSoonScreen, NotFoundScreen, WaitingScreen } from './simple-screens.tsx';
import { words } from './words.ts';

const loadFirst = async () => (await import('./first-screens.tsx')).screens;
const loadOthers = async () => (await import('./other-screens.tsx')).screens;
const loadDispatcher = async () => (await import('./dispatcher-screens.tsx')).screens;

function screen<Screens extends Record<string, ComponentType>>(
  load: () => Promise<Screens>,
  name: keyof Screens,
) {
  const Screen = lazy(async () => ({ default: (await load())[name] as ComponentType }));
  return <Screen />;
}

/** Made once: a lazy component made during rendering would be a new one each time. */
const elements = {
  inside: screen(loadFirst, 'Inside'),
  shell: screen(loadFirst, 'Shell'),
  plainShell: screen(loadFirst, 'PlainShell'),
  home: screen(loadFirst, 'Home'),
  trackingPending: screen(loadFirst, 'TrackingPending'),
  trackingInTransit: screen(loadFirst, 'TrackingInTransit'),
  deliveriesPending: screen(loadFirst, 'DeliveriesPending'),
  deliveriesInTransit: screen(loadFirst, 'DeliveriesInTransit'),
  deliveriesAll: screen(loadFirst, 'DeliveriesAll'),
  account: screen(loadOthers, 'Account'),
  personalInfo: screen(loadOthers, 'PersonalInfo'),
  security: screen(loadOthers, 'Security'),
  editUser: screen(loadOthers, 'EditUser'),
  packageDetail: screen(loadOthers, 'PackageDetail'),
  editPackage: screen(loadOthers, 'EditPackage'),
  newPackage: screen(loadOthers, 'NewPackage'),
  outbox: screen(loadOthers, 'Outbox'),
  payment: screen(loadOthers, 'Payment'),
  deposit: screen(loadOthers, 'Deposit'),
  usersList: screen(loadDispatcher, 'UsersList'),
  newUser: screen(loadDispatcher, 'NewUser'),
};

/** Where the guard sent them from, if it was a place of ours. */
function originOf(state: unknown): string {
  const from = (state as { from?: unknown } | null)?.from;
  return typeof from === 'string' && from.startsWith('/') && !from.startsWith('//') ? from : '/';
}

function AuthRoute({ leftAt }: { leftAt: RefObject<string> }) {
  const session = useAtomValue(sessionAtom);
  const navigate = useNavigate();
  const location = useLocation();
  // Signed in by this very form: the success toast stays two seconds before the dashboard.
  const wasOut = useRef(false);
  if (session.kind === 'signedOut' || session.kind === 'expired') wasOut.current = true;
  const from = originOf(location.state);
  const origin = from === '/' ? leftAt.current : from;
  const isInside = session.kind === 'signedIn' && session.userInfo.roles.length > 0;
  if (isInside && !wasOut.current) return <Navigate to={origin} replace />;
  return (
    <Frame>
      <AuthScreen
        onEnter={() => {
          leftAt.current = '/';
          navigate(origin, { replace: true });
        }}
      />
    </Frame>
  );
}

interface AppRoutesProps {
  /** Leaves the expired session behind. */
  onLeaveExpired(): Promise<void>;
}

function AppRoutes({ onLeaveExpired }: AppRoutesProps) {
  const navigate = useNavigate();
  /** Where the session had expired: a payment that came back to that is still checked. */
  const leftAt = useRef('/');
  const goToLogin = () => {
    leftAt.current = `${window.location.pathname}${window.location.search}`;
    void onLeaveExpired().then(() => navigate('/auth'));
  };
  const soon = words.placeholders;
  return (
    <Suspense fallback={<WaitingScreen />}>
      <Routes>
        <Route path="/auth" element={<AuthRoute leftAt={leftAt} />} />
        <Route element={<Guard onGoToLogin={goToLogin} />}>
          <Route element={elements.inside}>
            <Route element={elements.shell}>
              <Route index element={elements.home} />
              <Route path="home" element={elements.home} />
              <Route path="tracking">
                <Route index element={elements.trackingPending} />
                <Route path="pending" element={elements.trackingPending} />
                <Route path="in-transit" element={elements.trackingInTransit} />
              </Route>
              <Route path="delivery">
                <Route index element={elements.deliveriesPending} />
                <Route path="pending" element={elements.deliveriesPending} />
                <Route path="in-transit" element={elements.deliveriesInTransit} />
                <Route path="all" element={elements.deliveriesAll} />
              </Route>
              <Route path="account" element={elements.account} />
            </Route>
            <Route element={elements.plainShell}>
              <Route path="personal-info" element={elements.personalInfo} />
              <Route path="security" element={elements.security} />
              <Route path="edit-user/:id" element={elements.editUser} />
              <Route path="users-list" element={elements.usersList} />
              <Route path="new-user" element={elements.newUser} />
              <Route path="package-detail/:id" element={elements.packageDetail} />
              <Route path="edit-package/:id" element={elements.editPackage} />
              <Route path="new-package" element={elements.newPackage} />
              <Route path="outbox" element={elements.outbox} />
              <Route path="payment" element={elements.payment} />
              <Route path="deposit" element={elements.deposit} />
              <Route path="support" element={<ComingSoonScreen title={soon.support} />} />
              <Route path="promotion" element={<ComingSoonScreen title={soon.promotion} />} />
              <Route path="about" element={<ComingSoonScreen title={soon.about} />} />
              <Route path="delivery-request" element={<ComingSoonScreen title={soon.about} />} />
            </Route>
          </Route>
        </Route>
        <Route path="*" element={<NotFoundScreen />} />
      </Routes>
    </Suspense>
  );
}

export function Router(props: AppRoutesProps) {
  return (
    <BrowserRouter>
      <AppRoutes {...props} />
    </BrowserRouter>
  );
}
