import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './button.tsx';
import css from './field.module.css';
import { FieldFrame, type TextFieldProps } from './field.tsx';

interface PasswordFieldProps extends TextFieldProps {
  /** Label of the button that reveals the password. */
  showLabel: string;
}

export function PasswordField({ showLabel, ...props }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <FieldFrame field={props}>
      {(control) => (
        <div className={css.ended}>
          <input
            {...control}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
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
      )}
    </FieldFrame>
  );
}
