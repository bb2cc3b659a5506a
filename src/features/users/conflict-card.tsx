import { useEffect, useRef, useState } from 'react';
import { type Role, roles } from '#contract/user.ts';
import type { ContestedField, UserField } from '#domain/administration.ts';
import { Button } from '#ui/button.tsx';
import { Form } from '#ui/field.tsx';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import type { Conflict } from './use-user-edit.ts';
import { words } from './words.ts';

function shownValue(field: UserField, value: string): string {
  if (field === 'roles' && roles.includes(value as Role)) return words.roles[value as Role];
  return value || words.conflict.nothing;
}

interface ConflictCardProps {
  conflict: Conflict;
  isBusy: boolean;
  onDecide(mine: ReadonlySet<UserField>): void;
}

/** Mine or theirs, field by field; theirs at first, so that a press without reading undoes nothing. */
export function ConflictCard({ conflict, isBusy, onDecide }: ConflictCardProps) {
  const [mine, setMine] = useState<ReadonlySet<UserField>>(new Set());
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { contested } = conflict;
  const choose = (field: UserField, isMine: boolean) => {
    const next = new Set(mine);
    if (isMine) next.add(field);
    else next.delete(field);
    setMine(next);
  };
  const isAnythingMine = mine.size > 0 || Object.keys(conflict.changes).length > contested.length;
  return (
    <Form
      onSubmit={() => !isBusy && onDecide(mine)}
      errors={{}}
      label={words.conflict.title}
      actions={
        <Button type="submit" isWide isBusy={isBusy}>
          {isAnythingMine ? words.conflict.save : words.conflict.keepTheirs}
        </Button>
      }
    >
      <h3 ref={heading} tabIndex={-1}>
        {words.conflict.title}
      </h3>
      <p>{words.conflict.text}</p>
      {contested.map((choice) => (
        <Sides
          key={choice.field}
          choice={choice}
          isMine={mine.has(choice.field)}
          onChoose={(isMine) => choose(choice.field, isMine)}
        />
      ))}
    </Form>
  );
}

interface SidesProps {
  choice: ContestedField;
  isMine: boolean;
  onChoose(isMine: boolean): void;
}

function Sides({ choice, isMine, onChoose }: SidesProps) {
  const { field } = choice;
  return (
    <RadioGroup legend={words.fields[field]}>
      {(['mine', 'theirs'] as const).map((side) => (
        <RadioChoice
          key={side}
          name={`conflict-${field}`}
          lead={words.conflict[side]}
          label={shownValue(field, choice[side])}
          isChosen={isMine === (side === 'mine')}
          onChoose={() => onChoose(side === 'mine')}
        />
      ))}
    </RadioGroup>
  );
}
