import { useAtomValue } from 'jotai';
import { UserRoundPen } from 'lucide-react';
import { useActor } from '#data/use-actor.ts';
import { useArePackagesWhole, usePackageViews } from '#data/use-packages.ts';
import { isProfileComplete } from '#domain/user.ts';
import { deliveriesTab } from '#features/packages/list-rules.ts';
import { homeSummary as words } from '#messages/en/home-summary.ts';
import { ownUserAtom } from '#state/users.ts';
import { CourierSummary, Today } from './courier-summary.tsx';
import { DispatcherSummary } from './dispatcher-summary.tsx';
import { Row, useRoom } from './home-rows.tsx';
import css from './home-summary.module.css';
import { SenderSummary } from './sender-summary.tsx';

/** Over a phone's map: a courier's day, unless the sheet is full and says so. */
export function HomeGlance() {
  const views = usePackageViews();
  const isWhole = useArePackagesWhole();
  const actor = useActor();
  const { isRoomy } = useRoom();
  if (!views || !isWhole || isRoomy || actor.role !== 'Employee') return null;
  return (
    <div className={css.glance}>
      <Today own={deliveriesTab(views, actor, 'in-transit').views} />
    </div>
  );
}

const summaries = { Customer: SenderSummary, Employee: CourierSummary, Admin: DispatcherSummary };

/** On Home's sheet: the next action, by role; nothing until all packages are loaded. */
export function HomeSummary() {
  const views = usePackageViews();
  const isWhole = useArePackagesWhole();
  const self = useAtomValue(ownUserAtom);
  const { role } = useActor();
  const { most } = useRoom();
  const Summary = summaries[role];
  if (!views || !isWhole) return null;
  const isAsked = self && role !== 'Admin' && !isProfileComplete(self);
  return (
    <div className={css.summary}>
      {isAsked && (
        <Row
          to={`/edit-user/${self.id}`}
          title={words.profile}
          icon={<UserRoundPen aria-hidden size={20} />}
        >
          {words.profileText}
        </Row>
      )}
      {(!isAsked || most > 1) && <Summary views={views} />}
    </div>
  );
}
