import { useAtom } from 'jotai';
import { useEffect, useRef, useState } from 'react';
import { checkUserEdit, userFormOf } from '#domain/administration.ts';
import type { User } from '#domain/user.ts';
import { userDraftsAtom } from '#state/user-draft.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Form } from '#ui/field.tsx';
import { showInfo } from '#ui/toast.tsx';
import { ConflictCard } from './conflict-card.tsx';
import { useUserEdit } from './use-user-edit.ts';
import { UserFields } from './user-fields.tsx';
import { words } from './words.ts';

const isSame = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b);

/** Somebody else's profile. What is typed stays, whatever is pulled meanwhile. */
export function ProfileCard({ user }: { user: User }) {
  const [drafts, setDrafts] = useAtom(userDraftsAtom);
  const [kept] = useState(drafts.others[user.id]);
  const [form, setOwn] = useState(kept?.form ?? userFormOf(user));
  const edit = useUserEdit(kept?.base ?? user, (saved) => setOwn(userFormOf(saved)));
  const { base } = edit;
  const before = userFormOf(base);
  const isNewer = user.version > edit.base.version && !isSame(userFormOf(user), before);
  const isUntouched = isSame(form, before);
  useEffect(() => {
    const draft = isUntouched ? undefined : { base, form };
    setDrafts((all) => ({ ...all, others: { ...all.others, [base.id]: draft } }));
  }, [isUntouched, base, form, setDrafts]);
  // Nothing is typed: then the form shows what is so.
  if (isNewer && isUntouched && !edit.isBusy) edit.settle(user);

  const submit = () => {
    if (edit.isBusy) return;
    const checked = checkUserEdit(before, form);
    if (!checked.isValid) return edit.complain(checked.fields, checked.message);
    edit.complain({}, undefined);
    if (Object.keys(checked.value).length === 0) return showInfo(words.profile.nothing);
    void edit.save(checked.value);
  };

  const { conflict } = edit;
  const place = useRef<HTMLDivElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    // What was asked is answered: reading goes on in the form that is back.
    if (wasAsked.current && !conflict) place.current?.querySelector('input')?.focus();
    wasAsked.current = conflict !== null;
  }, [conflict]);
  return (
    <Card title={words.profile.title}>
      <div ref={place}>
        {conflict ? (
          <ConflictCard
            conflict={conflict}
            isBusy={edit.isBusy}
            onDecide={(mine) => void edit.decide(conflict, mine)}
          />
        ) : (
          <Form
            onSubmit={submit}
            errors={edit.fields}
            message={edit.message}
            label={words.profile.title}
            actions={
              <Button type="submit" isBusy={edit.isBusy}>
                {edit.isBusy ? words.profile.busy : words.profile.save}
              </Button>
            }
          >
            {isNewer && !isUntouched && (
              <div role="status">
                <p>{words.profile.newer}</p>
                <Button tone="plain" onClick={() => edit.settle(user)}>
                  {words.profile.takeNewer}
                </Button>
              </div>
            )}
            <UserFields
              form={form}
              errors={edit.fields}
              onChange={(name, value) => setOwn({ ...form, [name]: value })}
            />
          </Form>
        )}
      </div>
    </Card>
  );
}
