import { type ReactNode, useId } from 'react';
import field from './field.module.css';
import { useStandingError } from './field.tsx';
import css from './radio-choice.module.css';
import layout from './stack.module.css';

interface RadioGroupProps {
  legend: string;
  /** Name of the radio buttons: choosing one dismisses the error. */
  name?: string;
  /** Linked to the group for screen readers. */
  error?: string | undefined;
  isDisabled?: boolean;
  children: ReactNode;
}

export function RadioGroup(props: RadioGroupProps) {
  const { legend, name, error: given, isDisabled, children } = props;
  const id = useId();
  const error = useStandingError(name, given);
  return (
    <fieldset
      className={`${layout.tight} ${css.group}`}
      aria-labelledby={`${id}-legend`}
      aria-disabled={isDisabled}
      disabled={isDisabled}
      data-invalid={error ? '' : undefined}
      aria-describedby={error ? id : undefined}
    >
      <legend className={css.legend} id={`${id}-legend`}>
        {legend}
      </legend>
      {children}
      {error && (
        <p className={field.error} id={id} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface RadioChoiceProps {
  name: string;
  /** Above the label: whose choice it is. */
  lead?: string;
  label: string;
  note?: string | undefined;
  isChosen: boolean;
  onChoose(): void;
}

export function RadioChoice({ name, lead, label, note, isChosen, onChoose }: RadioChoiceProps) {
  const id = useId();
  return (
    <label className={css.choice} htmlFor={id}>
      <input id={id} type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span className={css.text}>
        {lead && <span className={layout.note}>{lead}</span>}
        <span className={css.label} dir="auto">
          {label}
        </span>
        {note && (
          <span className={layout.note} dir="auto">
            {note}
          </span>
        )}
      </span>
    </label>
  );
}

type ChipChoiceProps = Pick<RadioChoiceProps, 'name' | 'label' | 'isChosen' | 'onChoose'>;

/** Short choices side by side, inside `Chips`. */
export function ChipChoice({ name, label, isChosen, onChoose }: ChipChoiceProps) {
  const id = useId();
  return (
    <label className={`${css.choice} ${css.chip}`} htmlFor={id}>
      <input id={id} type="radio" name={name} checked={isChosen} onChange={onChoose} />
      {label}
    </label>
  );
}

export function Chips({ children }: { children: ReactNode }) {
  return <div className={layout.grid}>{children}</div>;
}
