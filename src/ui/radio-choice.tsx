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
  /** Over the label: whose the choice is. */
  lead?: string;
  label: string;
  /** Under the label: what speaks for it. */
  note?: string;
  isChosen: boolean;
  onChoose(): void;
}

/** One answer, as large as a thumb. */
export function RadioChoice({ name, lead, label, note, isChosen, onChoose }: RadioChoiceProps) {
  const id = useId();
  return (
    <label className={css.choice} htmlFor={id}>
      <input id={id} type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span className={css.text}>
        {lead && <span className={css.note}>{lead}</span>}
        <span className={css.label}>{label}</span>
        {note && <span className={css.note}>{note}</span>}
      </span>
    </label>
  );
}
