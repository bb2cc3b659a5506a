import { type ReactNode, useId } from 'react';
import css from './radio-choice.module.css';

interface RadioGroupProps {
  legend: string;
  /** The complaint about the choice; tied to the group for screen readers. */
  error?: string | undefined;
  children: ReactNode;
}

/** A question with radios for answers. */
export function RadioGroup({ legend, error, children }: RadioGroupProps) {
  const id = useId();
  return (
    <fieldset className={css.group} aria-describedby={error ? id : undefined}>
      <legend className={css.legend}>{legend}</legend>
      {children}
      {error && (
        <p className={css.error} id={id} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface RadioChoiceProps {
  /** The same for all choices of a question. */
  name: string;
  label: ReactNode;
  /** Under or beside the label: what the choice is about. */
  note?: ReactNode;
  isChosen: boolean;
  onChoose(): void;
}

/** One answer, as large as a thumb. */
export function RadioChoice({ name, label, note, isChosen, onChoose }: RadioChoiceProps) {
  const id = useId();
  return (
    <label className={css.choice} htmlFor={id}>
      <input id={id} type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span className={css.text}>
        <span className={css.label}>{label}</span>
        {note && <span className={css.note}>{note}</span>}
      </span>
    </label>
  );
}
