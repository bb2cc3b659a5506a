/** Everything behind the guard, in one chunk: screens of the features put together. */
import { useSetAtom } from 'jotai';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { AccountScreen } from '#features/account/account-screen.tsx';
import { EditUserScreen } from '#features/account/edit-user-screen.tsx';
import { PersonalInfoScreen } from '#features/account/personal-info-screen.tsx';
import { SecurityScreen } from '#features/account/security-screen.tsx';
import { SignOutButton } from '#features/account/sign-out-button.tsx';
import { HomeScreen } from '#features/home/home-screen.tsx';
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx';
import { CreateWizard } from '#features/packages/create-wizard.tsx';
import { EditPackageScreen } from '#features/packages/edit-package-screen.tsx';
import { DeliveriesScreen, TrackingScreen } from '#features/packages/list-screens.tsx';
import { NewPackageScreen } from '#features/packages/new-package-screen.tsx';
import { PackageDetailScreen } from '#features/packages/package-detail-screen.tsx';
import { expandedToMid, sheetAtom } from '#state/sheet.ts';
import { PlainShell, Shell } from './shell.tsx';

/** SPEC.md section 9: redirect to /tracking after package creation. */
const trackingDelayMs = 2000;

/** After creation the sheet closes and /tracking follows, unless the person has left by then. */
function useAfterCreation(): () => void {
  const setSheet = useSetAtom(sheetAtom);
  const navigate = useNavigate();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    setSheet(expandedToMid);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => navigate('/tracking'), trackingDelayMs);
  };
}

function Home() {
  const onCreated = useAfterCreation();
  return (
    <HomeScreen
      createForm={<CreateWizard onCreated={onCreated} />}
      signOutButton={<SignOutButton />}
    />
  );
}

function NewPackage() {
  return <NewPackageScreen onCreated={useAfterCreation()} />;
}

export const screens = {
  Shell,
  PlainShell,
  Home,
  TrackingPending: () => <TrackingScreen tab="pending" />,
  TrackingInTransit: () => <TrackingScreen tab="in-transit" />,
  DeliveriesPending: () => <DeliveriesScreen tab="pending" />,
  DeliveriesInTransit: () => <DeliveriesScreen tab="in-transit" />,
  Account: AccountScreen,
  PersonalInfo: PersonalInfoScreen,
  Security: SecurityScreen,
  EditUser: EditUserScreen,
  PackageDetail: PackageDetailScreen,
  EditPackage: EditPackageScreen,
  NewPackage,
  Outbox: OutboxScreen,
};
