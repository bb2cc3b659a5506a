import { Link } from 'react-router-dom';
import { displayName, roleOf } from '#domain/user.ts';
import { useOwnUser } from '#live/use-users.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Badge } from '#ui/badge.tsx';
import { buttonClass } from '#ui/button.tsx';
import { Card, Fact, Facts, Notice, Skeletons } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';
import { words } from './words.ts';

export function PersonalInfoScreen() {
  const self = useOwnUser();
  return (
    <Screen title={words.personalInfo} lead={<BackButton label={words.back} to="/account" />}>
      {self === undefined && <Skeletons label={words.loading} count={1} />}
      {self === null && <Notice text={words.userNotFound} />}
      {self && (
        <Card
          title={displayName(self)}
          aside={
            self.mark !== 'none' && (
              <Badge tone={self.mark === 'waiting' ? 'neutral' : 'bad'}>{words[self.mark]}</Badge>
            )
          }
        >
          <Facts>
            <Fact label={words.fields.firstName}>{self.firstName || words.notGiven}</Fact>
            <Fact label={words.fields.lastName}>{self.lastName || words.notGiven}</Fact>
            <Fact label={words.fields.email}>{self.email || words.notGiven}</Fact>
            <Fact label={words.fields.phoneNumber}>{self.phoneNumber || words.notGiven}</Fact>
            <Fact label={words.fields.address}>{self.address || words.notGiven}</Fact>
            <Fact label={words.role}>{words.roles[roleOf(self.roles)]}</Fact>
          </Facts>
          <Link className={buttonClass()} to={`/edit-user/${self.id}`}>
            {words.editProfile}
          </Link>
        </Card>
      )}
    </Screen>
  );
}
