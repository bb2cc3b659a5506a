import { Search, X } from 'lucide-react';
import { useId, useRef } from 'react';
import { IconButton } from './button.tsx';
import { focusHeading } from './focus-guard.ts';
import css from './search-field.module.css';

interface SearchFieldProps {
  label: string;
  clearLabel: string;
  placeholder: string;
  value: string;
  onChange(value: string): void;
}

/** Longer than any real query; keeps an accidental paste from slowing the list down. */
const maxLength = 100;

/** Clearing the field keeps its focus. */
export function SearchField(props: SearchFieldProps) {
  const { label, clearLabel, placeholder, value, onChange } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <search className={css.search}>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <Search aria-hidden size={20} />
      <input
        ref={input}
        id={id}
        type="search"
        dir="auto"
        className={css.input}
        placeholder={placeholder}
        value={value}
        maxLength={maxLength}
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '') onChange('');
          // Hides the on-screen keyboard to reveal the list, whose keys then work.
          if (event.key === 'Enter' || event.key === 'Escape') focusHeading();
        }}
      />
      {value !== '' && (
        <IconButton
          label={clearLabel}
          icon={<X aria-hidden size={20} />}
          onClick={() => {
            onChange('');
            input.current?.focus();
          }}
        />
      )}
    </search>
  );
}
