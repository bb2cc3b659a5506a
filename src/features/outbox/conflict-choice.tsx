import { useId, useState } from 'react';
import {
  chosenEdit,
  type Edit,
  fieldChoices,
  type Side,
  type Sides,
  sideOf,
} from '#domain/conflict.ts';
import type { Package } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import { useSignedIn } from '#live/services.ts';
import { DecidedElsewhereError, useSend } from '#live/use-send.ts';
import { notSavedSentence, queuedSentence, queuedToast, sendingWords } from '#live/words.ts';
import { Button } from '#ui/button.tsx';
import { Form } from '#ui/field.tsx';
import { showError, showInfo, showSuccess } from '#ui/toast.tsx';
import css from './conflict-choice.module.css';
import { fieldLabel, fieldValue } from './field-words.ts';
import { words } from './words.ts';

interface ConflictChoiceProps {
  edit: Edit;
  /** The server's present row. */
  current: Package | User;
}

/** Mine or theirs, field by field: DESIGN.md section 5. */
export function ConflictChoice({ edit, current }: ConflictChoiceProps) {
  const [sides, setSides] = useState<Sides>({});
  const [isBusy, setIsBusy] = useState(false);
  const decide = useDecision();
  const choices = fieldChoices(edit, current);
  const intent = chosenEdit(edit, current, sides);
  const submit = async () => {
    if (isBusy) return;
    setIsBusy(true);
    await decide(edit.id, intent);
    setIsBusy(false);
  };
  return (
    <Form
      onSubmit={() => void submit()}
      errors={{}}
      label={words.choice.title}
      actions={
        <Button type="submit" isWide isBusy={isBusy}>
          {intent ? words.choice.send : words.choice.keepTheirs}
        </Button>
      }
    >
      {choices.length === 0 && <p>{words.choice.same}</p>}
      {choices.map((choice) => {
        const { field, isContested } = choice;
        return (
          <fieldset key={field} className={css.field}>
            <legend className={css.legend}>{fieldLabel(field)}</legend>
            {!isContested && <p className={css.note}>{words.choice.onlyMine}</p>}
            {(['mine', 'theirs'] as const).map((side) => (
              <SideRadio
                key={side}
                label={side === 'theirs' && !isContested ? words.choice.asItIs : words.choice[side]}
                value={fieldValue(field, choice[side])}
                side={side}
                isChosen={sideOf(choice, sides) === side}
                onChoose={() => setSides({ ...sides, [field]: side })}
                name={`${edit.id}-${field}`}
              />
            ))}
          </fieldset>
        );
      })}
    </Form>
  );
}

interface SideRadioProps {
  label: string;
  value: string;
  side: Side;
  name: string;
  isChosen: boolean;
  onChoose(): void;
}

function SideRadio({ label, value, side, name, isChosen, onChoose }: SideRadioProps) {
  const id = useId();
  return (
    <label className={css.side} htmlFor={id}>
      <input id={id} type="radio" name={name} value={side} checked={isChosen} onChange={onChoose} />
      <span>
        <span className={css.whose}>{label}</span>
        <span className={css.value}>{value}</span>
      </span>
    </label>
  );
}

/** Puts the choice in the edit's place, or lets the edit give way where nothing of it was chosen. */
function useDecision() {
  const { db, engine } = useSignedIn();
  const send = useSend();
  return async (operationId: string, intent: ReturnType<typeof chosenEdit>): Promise<void> => {
    try {
      if (intent === null) {
        const isDone = await engine.giveWay(operationId);
        return isDone ? showInfo(words.choice.kept) : showError(sendingWords.decided);
      }
      const { answer } = await send(intent, operationId);
      void answer.then((sent) => {
        if (sent.kind === 'queued') {
          showSuccess(queuedSentence(sent, db.storage.fault()), queuedToast);
        }
      });
    } catch (error) {
      const isDecided = error instanceof DecidedElsewhereError;
      showError(isDecided ? sendingWords.decided : notSavedSentence(error));
    }
  };
}
