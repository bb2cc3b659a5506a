import { useAtomValue } from 'jotai';
import { CloudCheck, CloudOff, PackageX, UserRoundPen } from 'lucide-react';
import { Link, Navigate } from 'react-router-dom';
import { useActor } from '#data/use-actor.ts';
import { useRefresh, useSyncStatus } from '#data/use-connection.ts';
import { useSoughtPackage } from '#data/use-packages.ts';
import { isUnanswered } from '#domain/outcome.ts';
import { missingInProfile, roleOf, type User } from '#domain/user.ts';
import { fields } from '#messages/en/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import { sending } from '#messages/en/sending.ts';
import { removedPackageAtom } from '#state/package-ui.ts';
import { buttonClass } from '#ui/button.tsx';
import { CardSkeletons, Notice, RetryNotice } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';

/** Going back to a package that was just deleted leads to the list. */
export function NoPackage({ id }: { id: string }) {
  const { role } = useActor();
  const removed = useAtomValue(removedPackageAtom);
  const { lastFailure } = useSyncStatus();
  const { failure: own, again } = useSoughtPackage(id);
  const { isBusy, refresh } = useRefresh(() => undefined);
  if (removed === id) return <Navigate to="/tracking" replace />;
  // Offline, whether this package exists is unknown.
  const failure = isUnanswered(lastFailure) ? lastFailure : (own ?? lastFailure);
  if (failure?.status === 404 && failure.kind === 'http') {
    return (
      <Notice
        icon={<PackageX aria-hidden size={40} />}
        title={words.noData}
        text={words.noDataText}
      >
        <Link
          className={buttonClass('quiet')}
          to={role === 'Customer' ? '/tracking' : '/delivery'}
          replace
        >
          {words.empty.seeAll}
        </Link>
      </Notice>
    );
  }
  if (failure) {
    const reason = failure.kind === 'http' ? failure.message : '';
    return (
      <RetryNotice
        icon={<CloudOff aria-hidden size={40} />}
        title={words.detailFailed(reason)}
        text={isUnanswered(failure) ? words.notHereYet : words.checkConnection}
        label={words.retry}
        isBusy={isBusy}
        onRetry={() => {
          again();
          refresh();
        }}
      />
    );
  }
  if (!navigator.onLine) {
    return (
      <Notice
        icon={<CloudOff aria-hidden size={40} />}
        title={words.offline}
        text={words.notHereYet}
      />
    );
  }
  return <CardSkeletons label={words.loading} />;
}

/** Replaces the correction of a refused change that no longer exists. */
export function DecidedNotice() {
  return (
    <Notice icon={<CloudCheck aria-hidden size={40} />} title={sending.decided}>
      <Link className={buttonClass('quiet')} to="/outbox">
        {words.toChanges}
      </Link>
    </Notice>
  );
}

export function ProfileIncompleteCard({ user }: { user: User }) {
  return (
    <Notice icon={<UserRoundPen aria-hidden size={40} />} title={words.profileIncomplete.title}>
      {roleOf(user.roles) === 'Employee' && <strong>{words.profileIncomplete.courier}</strong>}
      <p>{words.profileIncomplete.text}</p>
      <div className={layout.missing}>
        <p className={layout.note}>{words.profileIncomplete.missing}</p>
        <ul>
          {missingInProfile(user).map((name) => (
            <li key={name}>{fields.labels[name]}</li>
          ))}
        </ul>
      </div>
      <Link className={buttonClass()} to={`/edit-user/${user.id}`}>
        {words.profileIncomplete.update}
      </Link>
    </Notice>
  );
}
