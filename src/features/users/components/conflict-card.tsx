import { useEffect, useRef, useState } from 'react';
import { type Role, roles } from '#contract/user.ts';
import type { UserField } from '#domain/administration.ts';
import type { Conflict } from '#features/users/hooks/use-user-edit.ts';
import { fields } from '#messages/en/fields.ts';
import { users as words } from '#messages/en/users.ts';
import { Button } from '#ui/button.tsx';
import { Form } from '#ui/field.tsx';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import { useForm } from '#ui/use-form.ts';

const sides = ['mine', 'theirs'] as const;

function shownValue(field: UserField, value: string): string {
  if (field === 'roles' && roles.includes(value as Role)) return words.roles[value as Role];
  return value || words.conflict.nothing;
}

interface ConflictCardProps {
  conflict: Conflict;
  onDecide(mine: ReadonlySet<UserField>): Promise<void>;
}

/** Theirs by default, so that a hasty submit overwrites nothing. */
export function ConflictCard({ conflict, onDecide }: ConflictCardProps) {
  const [mine, setMine] = useState<ReadonlySet<UserField>>(new Set());
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
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
  return (
    <Form
      {...form.props}
      label={words.conflict.title}
      actions={
        <Button type="submit" isWide isBusy={form.isBusy}>
          {isAnythingMine ? words.conflict.save : words.conflict.keepTheirs}
        </Button>
      }
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
