import {
  createContext,
  type FormEvent,
  type InputHTMLAttributes,
  type ReactNode,
  type TextareaHTMLAttributes,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Button } from './button.tsx';
import css from './field.module.css';
import layout from './stack.module.css';

type Names = ReadonlySet<string>;
const none: Names = new Set();

/** Names of fields edited since the errors were shown, and of those with a partly typed date. */
const Typed = createContext({ corrected: none, half: none });

/** The field's error, until it is edited. */
export function useComplaint(name = '', error?: string, halfTyped?: string): string | undefined {
  const { corrected, half } = useContext(Typed);
  if (half.has(name)) return halfTyped;
  return corrected.has(name) ? undefined : error;
}

export interface FieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  /** Linked to the control for screen readers. */
  error?: string | undefined;
  hint?: string | undefined;
  /** Announces the error immediately, wherever the focus is. */
  isAlert?: boolean;
}

interface FieldFrameProps extends Pick<FieldProps, 'label' | 'error' | 'hint' | 'isAlert'> {
  id: string;
  children: ReactNode;
}

export function FieldFrame({ id, label, error, hint, isAlert, children }: FieldFrameProps) {
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {hint && (
        <p className={css.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className={css.error} id={`${id}-error`} role={isAlert ? 'alert' : undefined}>
          {error}
        </p>
      )}
    </div>
  );
}

export function described(id: string, error?: string, hint?: string) {
  const by = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return {
    id,
    className: css.control,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': by || undefined,
  };
}

interface TextFieldProps extends FieldProps {
  /** Error for a partly typed date, which the browser reports as empty. */
  halfTyped?: string | undefined;
}

type InputRest = Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldProps | 'id' | 'className'>;

export function TextField({
  label,
  value,
  onChange,
  error: given,
  hint,
  isAlert = false,
  halfTyped,
  ...rest
}: TextFieldProps & InputRest) {
  const id = useId();
  const error = useComplaint(rest.name, given, halfTyped);
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint} isAlert={isAlert}>
      <input
        type="text"
        {...rest}
        {...described(id, error, hint)}
        data-whole={halfTyped === undefined ? undefined : ''}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        // Scrolling over a focused number input would change its value.
        onWheel={rest.type === 'number' ? ({ currentTarget }) => currentTarget.blur() : undefined}
      />
    </FieldFrame>
  );
}

type AreaRest = Omit<
  TextareaHTMLAttributes<HTMLTextAreaElement>,
  keyof FieldProps | 'id' | 'className'
>;

export function TextAreaField({
  label,
  value,
  onChange,
  error: given,
  hint,
  ...rest
}: FieldProps & AreaRest) {
  const id = useId();
  const error = useComplaint(rest.name, given);
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <textarea
        {...rest}
        {...described(id, error, hint)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  );
}

export interface Choice {
  value: string;
  label: string;
  isDisabled?: boolean;
}

interface SelectProps extends FieldProps {
  name: string;
  choices: readonly Choice[];
  disabled?: boolean;
}

export function SelectField({
  label,
  value,
  onChange,
  error: given,
  hint,
  choices,
  ...rest
}: SelectProps) {
  const id = useId();
  const error = useComplaint(rest.name, given);
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <select
        {...rest}
        {...described(id, error, hint)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} disabled={choice.isDisabled}>
            {choice.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

interface CheckboxProps {
  label: string;
  hint?: string;
  isChecked: boolean;
  onChange(isChecked: boolean): void;
}

export function Checkbox({ label, hint, isChecked, onChange }: CheckboxProps) {
  const id = useId();
  return (
    <label className={css.checkbox}>
      <input
        type="checkbox"
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        <span id={`${id}-label`}>{label}</span>
        {hint && (
          <span className={css.hint} id={`${id}-hint`}>
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}

interface FormProps {
  onSubmit(): void;
  /** Form-level error; hidden if a field shows the same text. */
  message?: string | undefined;
  /** Errors by field; when they change, the first invalid field gets focus. */
  errors: Readonly<Record<string, string>>;
  children: ReactNode;
  actions: ReactNode;
  label?: string;
}

/** Shows our validation messages instead of the browser's and focuses the first invalid field. */
export function Form({ onSubmit, message, errors, children, actions, label }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  const [typed, setTyped] = useState({ errors, corrected: none, half: none });
  const isOfThese = typed.errors === errors;
  const corrected = isOfThese ? typed.corrected : none;
  // Not at the input event, which a select has before its change: it would be put back in between.
  const noteTyping = ({ target }: FormEvent) => {
    const name = 'name' in target ? String(target.name) : '';
    const half = new Set([...typed.half].filter((one) => one !== name));
    setTyped({ errors, corrected: new Set([...corrected, name]), half });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const dates = form.current?.querySelectorAll<HTMLInputElement>('input[data-whole]') ?? [];
    const half = [...dates].filter(({ validity }) => validity.badInput);
    setTyped({ errors, corrected, half: new Set(half.map(({ name }) => name)) });
    half[0]?.focus();
    if (half.length === 0) onSubmit();
  };
  const isSaidByField = message !== undefined && Object.values(errors).includes(message);
  return (
    <form
      ref={form}
      className={css.form}
      onSubmit={submit}
      onChange={noteTyping}
      noValidate
      aria-label={label}
    >
      <Typed value={{ corrected, half: typed.half }}>{children}</Typed>
      {message && !isSaidByField && (
        <p className={css.message} role="alert">
          {message}
        </p>
      )}
      {actions}
    </form>
  );
}

interface SaveOrCancelProps {
  words: Record<'save' | 'busy' | 'cancel', string>;
  isBusy: boolean;
  onCancel(): void;
}

export function SaveOrCancel({ words, isBusy, onCancel }: SaveOrCancelProps) {
  return (
    <div className={layout.actions}>
      <Button tone="quiet" onClick={onCancel}>
        {words.cancel}
      </Button>
      <Button type="submit" isBusy={isBusy}>
        {isBusy ? words.busy : words.save}
      </Button>
    </div>
  );
}
