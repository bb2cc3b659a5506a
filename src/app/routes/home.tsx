/**
 * The first signed-in screen, shell included, and what follows a creation: composed here, because
 * features must not import each other.
 */
import { useAtom } from 'jotai';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { HomeScreen } from '#features/home/screens/home-screen.tsx';
import { expandedToMid, sheetAtom } from '#state/sheet.ts';
import { lazyPart } from './chunks.tsx';

export { bringDesk, Inside, ScreenFrame, Shell } from '#app/shell/shell.tsx';

const trackingDelayMs = 2000;

const SignOutButton = lazy(async () => ({
  default: (await import('#features/account/components/sign-out-button.tsx')).SignOutButton,
}));
const PackageMarkers = lazyPart(
  async () => (await import('#features/map/components/package-markers.tsx')).PackageMarkers,
);
const HomeSummary = lazyPart(
  async () => (await import('#features/packages/components/home-summary.tsx')).HomeSummary,
);
const HomeGlance = lazyPart(
  async () => (await import('#features/packages/components/home-summary.tsx')).HomeGlance,
);
const CreateWizard = lazy(async () => ({
  default: (await import('#features/packages/components/create-wizard.tsx')).CreateWizard,
}));

/**
 * After a creation, closes the sheet and opens /tracking, unless the user has navigated away or opened
 * the next form.
 * `isOver`: Back must not lead to the form again.
 */
export function useAfterCreation(isOver = false): () => void {
  const [{ isFullScreen }, setSheet] = useAtom(sheetAtom);
  const navigate = useNavigate();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (isFullScreen) clearTimeout(timer.current);
  }, [isFullScreen]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    setSheet(expandedToMid);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => navigate('/tracking', { replace: isOver }), trackingDelayMs);
  };
}

export function Home() {
  const onCreated = useAfterCreation();
  return (
    <>
      <HomeScreen
        createForm={
          <Suspense>
            <CreateWizard onCreated={onCreated} />
          </Suspense>
        }
        summary={<HomeSummary />}
        glance={<HomeGlance />}
        signOutButton={
          <Suspense>
            <SignOutButton />
          </Suspense>
        }
      />
      <PackageMarkers />
    </>
  );
}
