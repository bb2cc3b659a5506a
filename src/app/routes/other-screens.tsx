/** Screens that compose features, which must not import each other; part of the rest chunk. */
import { LifeBuoy, Tag } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link, useParams } from 'react-router-dom';
import { useActor } from '#data/use-actor.ts';
import { AccountScreen } from '#features/account/screens/account-screen.tsx';
import { EditUserScreen } from '#features/account/screens/edit-user-screen.tsx';
import { DeliverButton } from '#features/delivery/components/deliver-button.tsx';
import { DeliverySteps, ReturnButton } from '#features/delivery/components/delivery-steps.tsx';
import { Handover, HandoverButton } from '#features/delivery/components/handover-step.tsx';
import { AssignButton, DispatchCard } from '#features/dispatch/components/dispatch-card.tsx';
import { InstallCard } from '#features/install/components/install-card.tsx';
import { EndCard } from '#features/money/components/end-card.tsx';
import { PayButton, PaymentCard } from '#features/money/components/payment-card.tsx';
import type { DetailParts } from '#features/package-detail/detail-parts.ts';
import { PackageDetailScreen } from '#features/package-detail/screens/package-detail-screen.tsx';
import { NewPackageScreen } from '#features/package-form/screens/new-package-screen.tsx';
import { account as words } from '#messages/en/account.ts';
import { BackButton } from '#ui/back-button.tsx';
import { buttonClass } from '#ui/button.tsx';
import { Notice } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';
import { useAfterCreation } from './home.tsx';
import { HomeLink, Logo } from './simple-screens.tsx';
import { SupportContact } from './support-contact.tsx';

export { PersonalInfoScreen } from '#features/account/screens/personal-info-screen.tsx';
export { SecurityScreen } from '#features/account/screens/security-screen.tsx';
export { NotificationsScreen } from '#features/notifications/screens/notifications-screen.tsx';
export { OutboxScreen } from '#features/outbox/screens/outbox-screen.tsx';
export { EditPackageScreen } from '#features/package-form/screens/edit-package-screen.tsx';
export { DepositScreen } from '#features/payments/screens/deposit-screen.tsx';
export { PaymentScreen } from '#features/payments/screens/payment-screen.tsx';
export { NewUserScreen } from '#features/users/screens/new-user-screen.tsx';
export { UsersScreen } from '#features/users/screens/users-screen.tsx';

const Administration = lazy(async () => ({
  default: (await import('#features/users/components/dispatcher-parts.tsx')).Administration,
}));

export function Account() {
  return <AccountScreen install={<InstallCard />} />;
}

export function EditUser() {
  return (
    <EditUserScreen
      key={useParams().id}
      administration={(user) => (
        <Suspense>
          <Administration key={user.id} user={user} />
        </Suspense>
      )}
    />
  );
}

const detailParts: DetailParts = {
  DeliverySteps,
  DeliverButton,
  ReturnButton,
  HandoverButton,
  Handover,
  PayButton,
  PaymentCard,
  EndCard,
  AssignButton,
  DispatchCard,
};

/** From a list beside it, another package may follow directly. */
export function PackageDetail() {
  return <PackageDetailScreen key={useParams().id} parts={detailParts} />;
}

/** As in the sidebar. */
const soonIcons = {
  support: <LifeBuoy aria-hidden size={40} />,
  promotion: <Tag aria-hidden size={40} />,
  about: <Logo />,
};

export function ComingSoonScreen({ name }: { name: keyof typeof soonIcons }) {
  const { role } = useActor();
  const { title, text } = words.placeholders[name];
  return (
    <Screen title={title} lead={<BackButton label={words.back} to="/" />}>
      <Notice icon={soonIcons[name]} title={words.comingSoon} text={text}>
        {name === 'support' ? (
          <>
            <SupportContact />
            <Link
              className={buttonClass('quiet')}
              to={role === 'Customer' ? '/tracking' : '/delivery/in-transit'}
            >
              {words.toPackages}
            </Link>
          </>
        ) : (
          <HomeLink tone="quiet" />
        )}
      </Notice>
    </Screen>
  );
}

export function NewPackage() {
  return <NewPackageScreen onCreated={useAfterCreation(true)} />;
}
