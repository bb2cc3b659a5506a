import { useState } from 'react';
import { useSignedIn } from '#data/services.ts';
import { notSavedSentence, useSubmitIntent } from '#data/submit-intent.ts';
import { chosenEdit, type Edit, fieldChoices, type Sides, sideOf } from '#domain/conflict.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import { fieldLabel, fieldValue } from '#features/outbox/field-messages.ts';
import { outbox as words } from '#messages/en/outbox.ts';
import { sending } from '#messages/en/sending.ts';
import { Button } from '#ui/button.tsx';
import { Form } from '#ui/field.tsx';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import layout from '#ui/stack.module.css';
import * as toasts from '#ui/toast.tsx';
import { useForm } from '#ui/use-form.ts';

interface ConflictChoiceProps {
  edit: Edit;
  current: Package | User;
}

/** Choose mine or theirs per field; choosing none of mine drops the edit. */
export function ConflictChoice({ edit, current }: ConflictChoiceProps) {
  const [sides, setSides] = useState<Sides>({});
  const { engine } = useSignedIn();
  const submitIntent = useSubmitIntent(toasts);
  const choices = fieldChoices(edit, current);
  const intent = chosenEdit(edit, current, sides);
  const keepTheirs = async () => {
    try {
      if (await engine.acceptTheirs(edit.id)) toasts.showInfo(words.choice.kept);
      else toasts.showError(sending.decided);
    } catch (error) {
      toasts.showError(notSavedSentence(error, edit.name));
    }
  };
  const form = useForm({
    values: sides,
    onChange: setSides,
    submit: async () => {
      if (intent) await submitIntent(intent, edit.id);
      else await keepTheirs();
      return {};
    },
  });
  return (
    <Form
      {...form.props}
      label={words.choice.title}
      actions={
        <Button type="submit" isWide isBusy={form.isBusy}>
          {intent ? words.choice.send : words.choice.keepTheirs}
        </Button>
      }
    >
      {choices.length === 0 && <p>{words.choice.same}</p>}
      {choices.map((choice) => {
        const { field, isContested } = choice;
        return (
          <RadioGroup key={field} legend={fieldLabel(field)}>
            {!isContested && <p className={layout.soft}>{words.choice.onlyMine}</p>}
            {(['mine', 'theirs'] as const).map((side) => (
              <RadioChoice
                key={side}
                name={`${edit.id}-${field}`}
                lead={side === 'theirs' && !isContested ? words.choice.asItIs : words.choice[side]}
                label={fieldValue(field, choice[side])}
                isChosen={sideOf(choice, sides) === side}
                onChoose={() => setSides({ ...sides, [field]: side })}
              />
            ))}
          </RadioGroup>
        );
      })}
    </Form>
  );
}
