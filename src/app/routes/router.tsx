import { useAtomValue } from 'jotai';
import { type RefObject, Suspense, useRef } from 'react';
import {
  BrowserRouter,
  Navigate,
  Route,
  Routes,
  useLocation,
  useNavigate,
  useNavigationType,
} from 'react-router-dom';
import { app as words } from '#messages/en/app.ts';
import { sessionAtom } from '#state/session.ts';
import { Frame } from '#ui/frame.tsx';
import { Guard } from './guard.tsx';
import { AuthScreen, elements } from './screens.tsx';
import { ComingSoonScreen, NotFoundScreen, WaitingScreen } from './simple-screens.tsx';

/** Where the guard sent them from, if it was a place of ours. */
function originOf(state: unknown): string {
  const from = (state as { from?: unknown } | null)?.from;
  return typeof from === 'string' && from.startsWith('/') && !from.startsWith('//') ? from : '/';
}

function AuthRoute({ leftAt }: { leftAt: RefObject<string> }) {
  const session = useAtomValue(sessionAtom);
  const navigate = useNavigate();
  const location = useLocation();
  // Not after a reload or Back: the history keeps the state.
  const wasSent = useNavigationType() !== 'POP' && location.state !== null;
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
        reason={wasSent ? words.loginRequired : null}
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
              <Route path="notifications" element={elements.notifications} />
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
