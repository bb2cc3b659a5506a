import { useAtom } from 'jotai';
import { UserX } from 'lucide-react';
import { users as words } from '#messages/en/users.ts';
import { everybody, userFilterAtom } from '#state/users.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/card.tsx';

/** No user is as the filter asks. */
export function NoneFound() {
  const [{ role, state }, setFilter] = useAtom(userFilterAtom);
  return (
    <Notice
      icon={<UserX aria-hidden size={40} />}
      title={words.empty}
      text={role || state ? words.fewerFilters : words.otherWords}
    >
      <Button tone="quiet" onClick={() => setFilter(everybody)}>
        {words.clear}
      </Button>
    </Notice>
  );
}
