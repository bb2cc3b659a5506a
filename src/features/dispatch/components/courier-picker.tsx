import { useEffect, useMemo, useRef, useState } from 'react';
import { usePackageViews } from '#data/use-packages.ts';
import { useUsers } from '#data/use-users.ts';
import type { PackageView } from '#domain/overlay.ts';
import { dispatch as words } from '#messages/en/dispatch.ts';
import {
  type CourierChoice,
  courierChoices,
  matchingCouriers,
} from '#package-ui/courier-choices.ts';
import { Button } from '#ui/button.tsx';
import { Skeletons } from '#ui/card.tsx';
import { PanelDialog } from '#ui/dialog.tsx';
import { Form, SaveOrCancel, TextField } from '#ui/field.tsx';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import layout from '#ui/stack.module.css';
import css from './courier-picker.module.css';

/** Longer lists are cut off here; a search narrows them. */
const shownCount = 20;

interface CourierPickerProps {
  view: PackageView;
  title: string;
  isBusy: boolean;
  failure: string | undefined;
  onChoose(courier: CourierChoice): void;
  onClose(): void;
}

export function CourierPicker({ view, ...props }: CourierPickerProps) {
  const users = useUsers();
  const views = usePackageViews();
  const choices = useMemo(
    () => users && views && courierChoices(users, views, view),
    [users, views, view],
  );
  return (
    <PanelDialog title={props.title} onClose={props.onClose}>
      {choices === undefined && <Skeletons label={words.picker.legend} count={1} />}
      {choices?.length === 0 && <p>{words.picker.nobody}</p>}
      {choices && choices.length > 0 ? (
        <Choice choices={choices} {...props} />
      ) : (
        <Button tone="quiet" onClick={props.onClose}>
          {words.cancel}
        </Button>
      )}
    </PanelDialog>
  );
}

interface ChoiceProps extends Omit<CourierPickerProps, 'view'> {
  choices: readonly CourierChoice[];
}

function noteOf({ carries, vehicle }: CourierChoice): string {
  return [words.picker.carries(carries), vehicle].filter(Boolean).join(' · ');
}

/** A search and radio buttons: arrow keys move between couriers, Enter assigns the chosen one. */
function Choice({ choices, title, isBusy, failure, onChoose, onClose }: ChoiceProps) {
  const [text, setText] = useState('');
  const [chosenId, setChosenId] = useState('');
  const [complaint, setComplaint] = useState<string>();
  const place = useRef<HTMLDivElement>(null);
  // The dialog opened before this input existed.
  useEffect(() => place.current?.querySelector('input')?.focus(), []);
  const matches = matchingCouriers(choices, text);
  const shown = matches.slice(0, shownCount);
  const hidden = matches.length - shown.length;

  const submit = () => {
    if (isBusy) return;
    // A search with a single match needs no explicit choice.
    const chosen = shown.find(({ id }) => id === chosenId) ?? (matches.length === 1 && matches[0]);
    setComplaint(chosen ? undefined : words.picker.choose);
    if (chosen) onChoose(chosen);
  };

  return (
    <Form
      onSubmit={submit}
      errors={{}}
      message={failure}
      label={title}
      actions={
        <SaveOrCancel
          words={{ save: title, busy: words.picker.busy, cancel: words.cancel }}
          isBusy={isBusy}
          onCancel={onClose}
        />
      }
    >
      <div ref={place}>
        <TextField
          label={words.picker.search}
          type="search"
          name="courier-search"
          autoComplete="off"
          enterKeyHint="search"
          placeholder={words.picker.placeholder}
          value={text}
          onChange={setText}
        />
      </div>
      <p role="status" className={layout.soft}>
        {matches.length === 0 ? words.picker.none : words.picker.count(matches.length)}
      </p>
      <RadioGroup legend={words.picker.legend} error={complaint}>
        <div className={css.couriers}>
          {shown.map((courier) => (
            <RadioChoice
              key={courier.id}
              name="courier"
              label={courier.name}
              note={noteOf(courier)}
              isChosen={courier.id === chosenId}
              onChoose={() => {
                setChosenId(courier.id);
                setComplaint(undefined);
              }}
            />
          ))}
        </div>
        {hidden > 0 && <p className={layout.soft}>{words.picker.more(hidden)}</p>}
      </RadioGroup>
    </Form>
  );
}
