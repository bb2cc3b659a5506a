import { useAtomValue } from 'jotai';
import { UserRoundPen } from 'lucide-react';
import { useActor } from '#data/use-actor.ts';
import { useArePackagesWhole, usePackageViews } from '#data/use-packages.ts';
import { isProfileComplete } from '#domain/user.ts';
import { homeSummary as words } from '#messages/en/home-summary.ts';
import { ownUserAtom } from '#state/users.ts';
import { CourierGlance, CourierSummary } from './courier-summary.tsx';
import { DispatcherGlance, DispatcherSummary } from './dispatcher-summary.tsx';
import { Row, rowsClass, useRoom } from './home-rows.tsx';
import css from './home-summary.module.css';
import { SenderGlance, SenderSummary } from './sender-summary.tsx';

const glances = { Customer: SenderGlance, Employee: CourierGlance, Admin: DispatcherGlance };

/** Over a phone's map, unless the sheet is full and says so. */
export function HomeGlance() {
  const views = usePackageViews();
  const isWhole = useArePackagesWhole();
  const { role } = useActor();
  const { isRoomy } = useRoom();
  const Glance = glances[role];
  if (!views || !isWhole || isRoomy) return null;
  return (
    <div className={css.glance}>
      <Glance views={views} />
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
    <div className={`${rowsClass} ${css.summary}`}>
      {isAsked && (
        <Row
          to={`/edit-user/${self.id}`}
          title={words.profile}
          icon={<UserRoundPen aria-hidden size={20} />}
        >
          <span>{words.profileText}</span>
        </Row>
      )}
      {(!isAsked || most > 1) && <Summary views={views} />}
    </div>
  );
}
