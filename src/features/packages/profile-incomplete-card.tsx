import { Link } from 'react-router-dom';
import { buttonClass } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { words } from './words.ts';

export function ProfileIncompleteCard({ userId }: { userId: string }) {
  return (
    <Card title={words.profileIncomplete.title}>
      <p>{words.profileIncomplete.text}</p>
      <Link className={buttonClass()} to={`/edit-user/${userId}`}>
        {words.profileIncomplete.update}
      </Link>
    </Card>
  );
}
