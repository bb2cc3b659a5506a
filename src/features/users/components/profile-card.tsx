import { useAtom } from 'jotai';
import { useEffect, useRef, useState } from 'react';
import { userFormOf } from '#domain/administration.ts';
import type { User } from '#domain/user.ts';
import { useUserEdit } from '#features/users/hooks/use-user-edit.ts';
import { users as words } from '#messages/en/users.ts';
import { userDraftsAtom } from '#state/users.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Form } from '#ui/field.tsx';
import { ConflictCard } from './conflict-card.tsx';
import { UserFields } from './user-fields.tsx';

const isSame = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b);

/** Another user's profile. Edits survive any pull. */
export function ProfileCard({ user }: { user: User }) {
  const [drafts, setDrafts] = useAtom(userDraftsAtom);
  const [kept] = useState(drafts.others[user.id] ?? { base: user, form: userFormOf(user) });
  const { base, values, form, conflict, restart, decide } = useUserEdit(kept);
  const before = userFormOf(base);
  const isNewer = user.version > base.version && !isSame(userFormOf(user), before);
  const isUntouched = isSame(values, before);
  useEffect(() => {
    const draft = isUntouched ? undefined : { base, form: values };
    setDrafts((all) => ({ ...all, others: { ...all.others, [base.id]: draft } }));
  }, [isUntouched, base, values, setDrafts]);
  // Without edits, the form follows the mirror.
  if (isNewer && isUntouched && !form.isBusy) restart(user);

  const place = useRef<HTMLDivElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    // Returns the focus to the form after the decision.
    if (wasAsked.current && !conflict) place.current?.querySelector('input')?.focus();
    wasAsked.current = conflict !== null;
  }, [conflict]);
  return (
    <Card title={words.profile.title}>
      <div ref={place}>
        {conflict ? (
          <ConflictCard conflict={conflict} onDecide={(mine) => decide(conflict, mine)} />
        ) : (
          <Form
            {...form.props}
            label={words.profile.title}
            actions={
              <Button type="submit" isBusy={form.isBusy}>
                {form.isBusy ? words.profile.busy : words.profile.save}
              </Button>
            }
          >
            {isNewer && !isUntouched && (
              <div role="status">
                <p>{words.profile.newer}</p>
                <Button
                  tone="plain"
                  onClick={() => {
                    restart(user);
                    form.complain({});
                  }}
                >
                  {words.profile.takeNewer}
                </Button>
              </div>
            )}
            <UserFields field={form.field} />
          </Form>
        )}
      </div>
    </Card>
  );
}
