/**
 * The first signed-in screen, shell included, and what follows a creation: composed here, because
 * features must not import each other.
 */
import { useAtom, useSetAtom } from 'jotai';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { HomeScreen } from '#features/home/screens/home-screen.tsx';
import { showCreatedAtom } from '#state/package-ui.ts';
import { expandedToMid, sheetAtom } from '#state/sheet.ts';
import { lazyPart } from '#ui/lazy-part.tsx';

export { bringDesk, Inside, ScreenFrame, Shell } from '#app/shell/shell.tsx';

const trackingDelayMs = 2000;

const SignOutButton = lazy(async () => ({
  default: (await import('#features/account/components/sign-out-button.tsx')).SignOutButton,
}));
const PackageMarkers = lazyPart(
  async () => (await import('#features/map/components/package-markers.tsx')).PackageMarkers,
);
const CreateWizard = lazy(async () => ({
  default: (await import('#features/package-form/components/create-wizard.tsx')).CreateWizard,
}));

/**
 * After a creation, closes the sheet and opens /tracking, where it shows the package, unless the user has navigated away or opened
 * the next form.
 * `isOver`: Back must not lead to the form again.
 */
export function useAfterCreation(isOver = false): (packageId: string) => void {
  const [{ isFullScreen }, setSheet] = useAtom(sheetAtom);
  const showCreated = useSetAtom(showCreatedAtom);
  const navigate = useNavigate();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (isFullScreen) clearTimeout(timer.current);
  }, [isFullScreen]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (packageId) => {
    setSheet(expandedToMid);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      showCreated(packageId);
      navigate('/tracking', { replace: isOver });
    }, trackingDelayMs);
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
