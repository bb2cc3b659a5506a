/** Every screen behind the guard that one does not begin with, in one chunk. */
import { lazy, Suspense } from 'react';
import { AccountScreen } from '#features/account/screens/account-screen.tsx';
import { PersonalInfoScreen } from '#features/account/screens/personal-info-screen.tsx';
import { SecurityScreen } from '#features/account/screens/security-screen.tsx';
import { InstallCard } from '#features/install/components/install-card.tsx';
import { NotificationsScreen } from '#features/notifications/screens/notifications-screen.tsx';
import { OutboxScreen } from '#features/outbox/screens/outbox-screen.tsx';
import { EditPackageScreen } from '#features/packages/screens/edit-package-screen.tsx';
import { NewPackageScreen } from '#features/packages/screens/new-package-screen.tsx';
import { PackageDetailScreen } from '#features/packages/screens/package-detail-screen.tsx';
import { DepositScreen } from '#features/payments/screens/deposit-screen.tsx';
import { PaymentScreen } from '#features/payments/screens/payment-screen.tsx';
import { NewUserScreen } from '#features/users/screens/new-user-screen.tsx';
import { UsersScreen } from '#features/users/screens/users-screen.tsx';
import { EditUser } from './edit-user.tsx';
import { useAfterCreation } from './home.tsx';

const NewUserFields = lazy(async () => ({
  default: (await import('./dispatcher-screens.tsx')).NewUserFields,
}));

function NewUser() {
  return (
    <Suspense>
      <NewUserScreen Fields={NewUserFields} />
    </Suspense>
  );
}

function NewPackage() {
  return <NewPackageScreen onCreated={useAfterCreation()} />;
}

export const screens = {
  Account: () => <AccountScreen install={<InstallCard />} />,
  PersonalInfo: PersonalInfoScreen,
  Security: SecurityScreen,
  Notifications: NotificationsScreen,
  EditUser,
  PackageDetail: PackageDetailScreen,
  EditPackage: EditPackageScreen,
  NewPackage,
  Outbox: OutboxScreen,
  Payment: PaymentScreen,
  Deposit: DepositScreen,
  UsersList: UsersScreen,
  NewUser,
};
