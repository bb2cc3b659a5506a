import { Eye, EyeOff } from 'lucide-react';
import { type InputHTMLAttributes, useId, useState } from 'react';
import { IconButton } from './button.tsx';
import css from './field.module.css';
import { described, FieldFrame, type FieldProps, useComplaint } from './field.tsx';

interface PasswordFieldProps
  extends FieldProps,
    Pick<InputHTMLAttributes<HTMLInputElement>, 'name' | 'autoComplete'> {
  /** Label of the button that reveals the password. */
  showLabel: string;
}

export function PasswordField(props: PasswordFieldProps) {
  const { label, value, onChange, error: given, hint, showLabel, ...rest } = props;
  const id = useId();
  const error = useComplaint(rest.name, given);
  const [isShown, setIsShown] = useState(false);
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <div className={css.ended}>
        <input
          {...rest}
          {...described(id, error, hint)}
          type={isShown ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <span className={css.end}>
          <IconButton
            label={showLabel}
            aria-pressed={isShown}
            icon={isShown ? <EyeOff aria-hidden size={22} /> : <Eye aria-hidden size={22} />}
            onClick={() => setIsShown(!isShown)}
          />
        </span>
      </div>
    </FieldFrame>
  );
}
