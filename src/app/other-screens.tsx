/** Every screen behind the guard that one does not begin with, in one chunk. */
import { AccountScreen } from '#features/account/account-screen.tsx';
import { PersonalInfoScreen } from '#features/account/personal-info-screen.tsx';
import { SecurityScreen } from '#features/account/security-screen.tsx';
import { InstallCard } from '#features/install/install-card.tsx';
import { NotificationsScreen } from '#features/notifications/notifications-screen.tsx';
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx';
import { EditPackageScreen } from '#features/packages/edit-package-screen.tsx';
import { NewPackageScreen } from '#features/packages/new-package-screen.tsx';
import { PackageDetailScreen } from '#features/packages/package-detail-screen.tsx';
import { DepositScreen } from '#features/payments/deposit-screen.tsx';
import { PaymentScreen } from '#features/payments/payment-screen.tsx';
import { EditUser } from './edit-user.tsx';
import { useAfterCreation } from './home.tsx';

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
};
