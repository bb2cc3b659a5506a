import { type ReactNode, useId } from 'react';
import field from './field.module.css';
import css from './radio-choice.module.css';
import layout from './stack.module.css';

interface RadioGroupProps {
  legend: string;
  /** Linked to the group for screen readers. */
  error?: string | undefined;
  children: ReactNode;
}

export function RadioGroup({ legend, error, children }: RadioGroupProps) {
  const id = useId();
  return (
    <fieldset className={css.group} aria-describedby={error ? id : undefined}>
      <legend className={css.legend}>{legend}</legend>
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
  note?: string;
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
        <span className={css.label}>{label}</span>
        {note && <span className={layout.note}>{note}</span>}
      </span>
    </label>
  );
}
