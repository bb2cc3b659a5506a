import { ChevronDown, CircleAlert } from 'lucide-react';
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
import { Button, type ButtonProps } from './button.tsx';
import css from './field.module.css';
import { FormPartsContext, useFormParts } from './form-parts.ts';
import layout from './stack.module.css';

type Names = ReadonlySet<string>;
const none: Names = new Set();

/** Names of fields edited since the errors were shown, and of those with a partly typed date. */
const Typed = createContext({ corrected: none, half: none });

export interface FieldProps {
  label: string;
  name?: string | undefined;
  value: string;
  onChange(value: string): void;
  /** Linked to the control for screen readers. */
  error?: string | undefined;
  hint?: ReactNode;
  /** Beside the label: 'Optional'. */
  aside?: string | undefined;
  /** Announces the error immediately, wherever the focus is. */
  isAlert?: boolean;
  /** The error is about the current text, so typing does not dismiss it. */
  isLive?: boolean;
  /** Error for a partly typed date, which the browser reports as empty. */
  halfTyped?: string | undefined;
}

/** A control's own attributes. */
type Own<Attributes> = Omit<Attributes, keyof FieldProps | 'id' | 'className'>;

interface Control {
  id: string;
  className: string | undefined;
  dir: 'auto';
  name: string | undefined;
  value: string;
  onChange(event: { target: { value: string } }): void;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface FieldFrameProps<Attributes> {
  field: FieldProps & Attributes;
  children(control: Control & Attributes): ReactNode;
}

/** The error of this field until it is edited. */
export function useStandingError(name: string | undefined, error: string | undefined) {
  const { corrected } = useContext(Typed);
  return corrected.has(name ?? '') ? undefined : error;
}

/** Label, hint and error around a control. The error shows until the field is edited. */
export function FieldFrame<Attributes>({ field, children }: FieldFrameProps<Attributes>) {
  const {
    label,
    name,
    value,
    onChange,
    error: given,
    hint,
    aside,
    isAlert,
    isLive,
    halfTyped,
    ...own
  } = field;
  const id = useId();
  const { corrected, half } = useContext(Typed);
  const complaint = corrected.has(name ?? '') && !isLive ? undefined : given;
  const error = half.has(name ?? '') ? halfTyped : complaint;
  const by = [aside && `${id}-aside`, error ? `${id}-error` : hint && `${id}-hint`];
  const control: Control = {
    id,
    className: css.control,
    // People's words run as their script does; numbers and e-mails are as they were.
    dir: 'auto',
    name,
    value,
    onChange: ({ target }) => onChange(target.value),
    'aria-invalid': error ? true : undefined,
    'aria-describedby': by.filter(Boolean).join(' ') || undefined,
  };
  return (
    <div className={`${layout.tight} ${css.field}`}>
      <div className={`${layout.row} ${css.head}`}>
        <label className={css.label} htmlFor={id}>
          {label}
        </label>
        {aside && (
          <span className={layout.note} id={`${id}-aside`}>
            {aside}
          </span>
        )}
      </div>
      {children({ ...(own as Attributes), ...control })}
      {/* An error says more than the hint, and takes its place. */}
      {hint && !error && (
        <p className={layout.note} id={`${id}-hint`}>
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

export type TextFieldProps = FieldProps & Own<InputHTMLAttributes<HTMLInputElement>>;

export function TextField(props: TextFieldProps) {
  return (
    <FieldFrame field={props}>
      {(control) => (
        <input
          type="text"
          {...control}
          data-whole={props.halfTyped === undefined ? undefined : ''}
          // Scrolling over a focused number input would change its value.
          onWheel={props.type === 'number' ? (event) => event.currentTarget.blur() : undefined}
        />
      )}
    </FieldFrame>
  );
}

export function TextAreaField(
  props: FieldProps & Own<TextareaHTMLAttributes<HTMLTextAreaElement>>,
) {
  return <FieldFrame field={props}>{(control) => <textarea {...control} />}</FieldFrame>;
}

export interface Choice {
  value: string;
  label: string;
  isDisabled?: boolean;
}

interface SelectProps extends FieldProps {
  choices: readonly Choice[];
  disabled?: boolean;
}

export function SelectField({ choices, ...props }: SelectProps) {
  return (
    <FieldFrame field={props}>
      {(control) => (
        <div className={css.select}>
          <select {...control}>
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value} disabled={choice.isDisabled}>
                {choice.label}
              </option>
            ))}
          </select>
          <ChevronDown aria-hidden size={20} />
        </div>
      )}
    </FieldFrame>
  );
}

interface CheckboxProps {
  label: string;
  name?: string;
  hint?: string | undefined;
  isChecked: boolean;
  isDisabled?: boolean;
  onChange(isChecked: boolean): void;
}

export function Checkbox(props: CheckboxProps) {
  const { label, name, hint, isChecked, isDisabled, onChange } = props;
  const id = useId();
  return (
    <label className={css.checkbox}>
      <input
        type="checkbox"
        name={name}
        disabled={isDisabled}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        <span id={`${id}-label`}>{label}</span>
        {hint && (
          <span className={`${layout.note} ${css.hint}`} id={`${id}-hint`}>
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
  message?: ReactNode;
  /** Errors by field; when they change, the first invalid field gets focus. */
  errors: Readonly<Record<string, string>>;
  children: ReactNode;
  actions: ReactNode;
  label?: string;
}

/**
 * Shows our validation messages instead of the browser's and focuses the first invalid field. Waits
 * for parts still in progress (form-parts.ts).
 */
export function Form({ onSubmit, message, errors, children, actions, label }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (message) summary.current?.scrollIntoView({ block: 'nearest' });
    if (Object.keys(errors).length === 0) return;
    form.current
      ?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] input')
      ?.focus();
  }, [errors, message]);
  const [typed, setTyped] = useState({ errors, corrected: none, half: none });
  const isOfThese = typed.errors === errors;
  const corrected = isOfThese ? typed.corrected : none;
  // Not at the input event, which a select has before its change: it would be put back in between.
  const noteTyping = ({ target }: FormEvent) => {
    const name = 'name' in target ? String(target.name) : '';
    const half = new Set([...typed.half].filter((one) => one !== name));
    setTyped({ errors, corrected: new Set([...corrected, name]), half });
  };
  const { submit, context } = useFormParts(onSubmit);
  const onSubmitted = (event: FormEvent) => {
    event.preventDefault();
    const dates = form.current?.querySelectorAll<HTMLInputElement>('input[data-whole]') ?? [];
    const half = [...dates].filter(({ validity }) => validity.badInput);
    setTyped({ errors, corrected, half: new Set(half.map(({ name }) => name)) });
    half[0]?.focus();
    if (half.length === 0) submit();
  };
  const isSaidByField = message !== undefined && Object.values<ReactNode>(errors).includes(message);
  // It sums up the errors at the fields, and goes with the last of them.
  const names = Object.keys(errors);
  const isMended = names.length > 0 && names.every((name) => corrected.has(name));
  return (
    <form
      ref={form}
      className={css.form}
      onSubmit={onSubmitted}
      onChange={noteTyping}
      noValidate
      aria-label={label}
    >
      {message && !isSaidByField && (
        // Once mended it keeps its place: nothing moves under a finger that types.
        <p
          className={`${layout.box} ${layout.bad} ${css.message}`}
          role="alert"
          ref={summary}
          data-mended={isMended}
        >
          <CircleAlert aria-hidden size={20} />
          {message}
        </p>
      )}
      <FormPartsContext value={context}>
        <div className={css.fields}>
          <Typed value={{ corrected, half: typed.half }}>{children}</Typed>
        </div>
        {actions}
      </FormPartsContext>
    </form>
  );
}

interface SubmitProps extends Pick<ButtonProps, 'tone' | 'isWide' | 'isBusy'> {
  words: Record<'save' | 'busy', string>;
}

/** The button of a form; its label tells while it is being submitted. */
export function Submit({ words, ...rest }: SubmitProps) {
  const isWaiting = useContext(FormPartsContext)?.isWaiting ?? false;
  const isBusy = rest.isBusy || isWaiting;
  return (
    <Button type="submit" {...rest} isBusy={isBusy}>
      {isBusy ? words.busy : words.save}
    </Button>
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
      <Submit words={words} isBusy={isBusy} />
    </div>
  );
}
