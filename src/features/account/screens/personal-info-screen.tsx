import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useIsLaneSending } from '#data/use-outbox.ts';
import { useOwnUser } from '#data/use-users.ts';
import { showPhone } from '#domain/contact-links.ts';
import { laneOf } from '#domain/operation.ts';
import { displayName, roleOf, type User } from '#domain/user.ts';
import { NoUser } from '#features/account/components/no-user.tsx';
import { account as words } from '#messages/en/account.ts';
import { fields } from '#messages/en/fields.ts';
import { BackButton } from '#ui/back-button.tsx';
import badge from '#ui/badge.module.css';
import { Badge } from '#ui/badge.tsx';
import { buttonClass } from '#ui/button.tsx';
import { Card, Fact, Facts, Skeletons } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';

const names = ['firstName', 'lastName', 'email', 'phoneNumber', 'address'] as const;

/** Fields that the title does not show already. */
function namesBelow(self: User) {
  const inTitle =
    self.firstName && self.lastName
      ? ['firstName', 'lastName']
      : [displayName(self) === self.email ? 'email' : ''];
  return names.filter((name) => !inTitle.includes(name));
}

function WaitingBadge({ id }: { id: string }) {
  const isSending = useIsLaneSending(laneOf({ name: 'editProfile', targetId: id }));
  return <Badge tone="warn">{isSending ? words.sending : words.waiting}</Badge>;
}

export function PersonalInfoScreen() {
  const self = useOwnUser();
  return (
    <Screen
      title={words.personalInfo}
      lead={<BackButton label={words.back} to="/account" />}
      actions={
        self && (
          <Link className={buttonClass()} to={`/edit-user/${self.id}`}>
            {words.editProfile}
          </Link>
        )
      }
    >
      {self === undefined && <Skeletons label={words.loading} count={1} />}
      {self === null && <NoUser />}
      {self && (
        <Card
          title={displayName(self)}
          aside={
            self.mark === 'attention' ? (
              <Link className={badge.link} to={`/outbox?about=${self.id}`}>
                <Badge tone="bad">{words.attention}</Badge>
                <ChevronRight aria-hidden size={18} />
              </Link>
            ) : (
              self.mark === 'waiting' && <WaitingBadge id={self.id} />
            )
          }
        >
          <Facts>
            {namesBelow(self).map((name) => (
              <Fact key={name} label={fields.labels[name]}>
                {(name === 'phoneNumber' ? showPhone(self[name] ?? '') : self[name]) ||
                  words.notGiven}
              </Fact>
            ))}
            <Fact label={words.role}>{words.roles[roleOf(self.roles)]}</Fact>
          </Facts>
        </Card>
      )}
    </Screen>
  );
}
