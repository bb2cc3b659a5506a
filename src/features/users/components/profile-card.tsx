/**
 * An admin's edit of another user. Sends the form's changes with the version they are based on, so
 * that admins never overwrite each other's changes unknowingly.
 *
 *   edited ──submit──▶ done: the form resets to the server's answer
 *             ├──────▶ refused: form error
 *             └──────▶ conflict: choose mine or theirs per field ──▶ resubmit with the shown version
 */
import '#contract/phone-countries.ts';
import { useAtom } from 'jotai';
import { useLayoutEffect, useState } from 'react';
import { type Role, roles } from '#contract/user.ts';
import {
  type ContestedField,
  checkUserEdit,
  contestedFields,
  type UserChanges,
  type UserField,
  type UserForm,
  userFormOf,
  withoutTheirs,
} from '#domain/administration.ts';
import { roleOf, type User } from '#domain/user.ts';
import { usePatchUser } from '#features/users/hooks/use-patch-user.ts';
import { fields } from '#messages/en/fields.ts';
import { users as words } from '#messages/en/users.ts';
import { type UserDraft, userDraftsAtom } from '#state/users.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { type FieldProps, Form, Submit, TextField } from '#ui/field.tsx';
import { useFocusOn } from '#ui/focus-guard.ts';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import { showInfo } from '#ui/toast.tsx';
import { type Complaint, useForm } from '#ui/use-form.ts';

const controls = [
  { name: 'firstName' },
  { name: 'lastName' },
  { name: 'email', type: 'email', inputMode: 'email' },
  { name: 'phoneNumber', type: 'tel', inputMode: 'tel' },
  { name: 'address', aside: fields.optional },
  { name: 'vehicle', aside: fields.optional, hint: words.hints.vehicle },
] as const;

interface UserFieldsProps {
  /** For couriers only. */
  hasVehicle: boolean;
  field(name: keyof UserForm): Pick<FieldProps, 'value' | 'onChange' | 'error'>;
}

export function UserFields({ hasVehicle, field }: UserFieldsProps) {
  const shown = controls.filter(({ name }) => name !== 'vehicle' || hasVehicle);
  return shown.map(({ name, ...rest }) => (
    <TextField
      key={name}
      label={fields.labels[name]}
      // Not the admin's own data: no browser autofill.
      autoComplete="off"
      {...rest}
      {...field(name)}
    />
  ));
}

interface Conflict {
  changes: UserChanges;
  contested: ContestedField[];
  current: User;
}

function useUserEdit(draft: UserDraft<UserForm>) {
  const [base, setBase] = useState(draft.base);
  const [values, setValues] = useState(draft.form);
  const [conflict, setConflict] = useState<Conflict | null>(null);

  const restart = (user: User) => {
    setBase(user);
    setValues(userFormOf(user));
    setConflict(null);
  };

  const patch = usePatchUser(restart);
  const send = (changes: UserChanges, baseVersion: number): Promise<Complaint> =>
    patch({ ...changes, id: base.id, ...(baseVersion && { baseVersion }) }, (current, failure) => {
      const contested = contestedFields(changes, failure.fields, current);
      setConflict({ changes, contested, current });
      return {};
    });

  const form = useForm({
    values,
    onChange: setValues,
    submit: async () => {
      const checked = checkUserEdit(userFormOf(base), values);
      if (!checked.isValid) return checked;
      if (Object.keys(checked.value).length > 0) return send(checked.value, base.version);
      showInfo(words.profile.nothing);
      return {};
    },
  });

  /** `mine`: the contested fields that keep my value; the rest take theirs. */
  const decide = async (
    { changes, contested, current }: Conflict,
    mine: ReadonlySet<UserField>,
  ): Promise<void> => {
    const chosen = withoutTheirs(changes, contested, mine);
    if (Object.keys(chosen).length > 0) return form.complain(await send(chosen, current.version));
    restart(current);
    showInfo(words.conflict.kept);
  };

  return { base, values, form, conflict, restart, decide };
}

const isSame = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b);

/** Another user's profile. Edits survive any pull. */
export function ProfileCard({ user }: { user: User }) {
  const [drafts, setDrafts] = useAtom(userDraftsAtom);
  const [kept] = useState(drafts.others[user.id] ?? { base: user, form: userFormOf(user) });
  const { base, values, form, conflict, restart, decide } = useUserEdit(kept);
  const before = userFormOf(base);
  const isNewer = user.version > base.version && !isSame(userFormOf(user), before);
  const isUntouched = isSame(values, before);
  // In time for a Back right after the first letter, which asks while there is a draft.
  useLayoutEffect(() => {
    const draft = isUntouched ? undefined : { base, form: values };
    setDrafts((all) => ({ ...all, others: { ...all.others, [base.id]: draft } }));
  }, [isUntouched, base, values, setDrafts]);
  // Without edits, the form follows the mirror.
  if (isNewer && isUntouched && !form.isBusy) restart(user);

  // Returns the focus to the form after the decision.
  const place = useFocusOn(conflict === null, { isLater: true, inside: 'input' });
  return (
    <Card title={words.profile.title}>
      <div ref={place}>
        {conflict ? (
          <ConflictForm conflict={conflict} onDecide={(mine) => decide(conflict, mine)} />
        ) : (
          <Form
            {...form.props}
            label={words.profile.title}
            actions={<Submit words={words.profile} isBusy={form.isBusy} />}
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
            <UserFields hasVehicle={roleOf(user.roles) === 'Employee'} field={form.field} />
          </Form>
        )}
      </div>
    </Card>
  );
}

const sides = ['mine', 'theirs'] as const;

function shownValue(field: UserField, value: string): string {
  if (field === 'roles' && roles.includes(value as Role)) return words.roles[value as Role];
  return value || words.conflict.nothing;
}

interface ConflictFormProps {
  conflict: Conflict;
  onDecide(mine: ReadonlySet<UserField>): Promise<void>;
}

/** Keeps the other person's values by default, so that a hasty submit overwrites nothing. */
function ConflictForm({ conflict, onDecide }: ConflictFormProps) {
  const [mine, setMine] = useState<ReadonlySet<UserField>>(new Set());
  const heading = useFocusOn<HTMLHeadingElement>(true);
  const { contested } = conflict;
  const form = useForm({
    values: mine,
    onChange: setMine,
    submit: async () => {
      await onDecide(mine);
      return {};
    },
  });
  const isAnythingMine = mine.size > 0 || Object.keys(conflict.changes).length > contested.length;
  const label = isAnythingMine ? words.conflict.save : words.conflict.keepTheirs;
  return (
    <Form
      {...form.props}
      label={words.conflict.title}
      actions={<Submit words={{ save: label, busy: label }} isWide isBusy={form.isBusy} />}
    >
      <h3 ref={heading} tabIndex={-1}>
        {words.conflict.title}
      </h3>
      <p>{words.conflict.text}</p>
      {contested.map(({ field, ...values }) => (
        <RadioGroup key={field} legend={fields.labels[field]}>
          {sides.map((side) => (
            <RadioChoice
              key={side}
              name={`conflict-${field}`}
              lead={words.conflict[side]}
              label={shownValue(field, values[side])}
              isChosen={mine.has(field) === (side === 'mine')}
              onChoose={() => {
                const others = [...mine].filter((one) => one !== field);
                setMine(new Set(side === 'mine' ? [...others, field] : others));
              }}
            />
          ))}
        </RadioGroup>
      ))}
    </Form>
  );
}
