import { useMemo, useState } from 'react';
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
import { useFocusOn } from '#ui/focus-guard.ts';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import layout from '#ui/stack.module.css';
import { type Complaint, useForm } from '#ui/use-form.ts';
import css from './courier-picker.module.css';

/** Longer lists are cut off here; a search narrows them. */
const shownCount = 20;

/** The complaint is said at the couriers and leaves the focus in the search, where typing goes on. */
const none = {};

interface CourierPickerProps {
  view: PackageView;
  title: string;
  onChoose(courier: CourierChoice): Promise<Complaint | null>;
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
function Choice({ choices, title, onChoose, onClose }: ChoiceProps) {
  const [values, setValues] = useState({ search: '', courierId: '' });
  // The dialog opened before this input existed.
  const place = useFocusOn(true, { inside: 'input' });
  const matches = matchingCouriers(choices, values.search);
  const shown = matches.slice(0, shownCount);
  const hidden = matches.length - shown.length;

  const form = useForm({
    values,
    onChange: setValues,
    submit: async () => {
      // A search with a single match needs no explicit choice.
      const only = matches.length === 1 ? matches[0] : undefined;
      const chosen = shown.find(({ id }) => id === values.courierId) ?? only;
      return chosen ? onChoose(chosen) : { fields: { courierId: words.picker.choose } };
    },
  });
  const choice = form.field('courierId');

  return (
    <Form
      {...form.props}
      errors={none}
      label={title}
      actions={
        <SaveOrCancel
          words={{ save: title, busy: words.picker.busy, cancel: words.cancel }}
          isBusy={form.isBusy}
          onCancel={onClose}
        />
      }
    >
      <div ref={place}>
        <TextField
          label={words.picker.search}
          type="search"
          autoComplete="off"
          enterKeyHint="search"
          placeholder={words.picker.placeholder}
          {...form.field('search')}
        />
      </div>
      <p role="status" className={layout.soft}>
        {matches.length === 0 ? words.picker.none : words.picker.count(matches.length)}
      </p>
      <RadioGroup legend={words.picker.legend} error={choice.error}>
        <div className={css.couriers}>
          {shown.map((courier) => (
            <RadioChoice
              key={courier.id}
              name={choice.name}
              label={courier.name}
              note={noteOf(courier)}
              isChosen={courier.id === choice.value}
              onChoose={() => {
                choice.onChange(courier.id);
                form.complain(({ message }) => ({ message }));
              }}
            />
          ))}
        </div>
        {hidden > 0 && <p className={layout.soft}>{words.picker.more(hidden)}</p>}
      </RadioGroup>
    </Form>
  );
}
