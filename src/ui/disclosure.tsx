import { type ReactNode, useState } from 'react';
import { Button, type ButtonTone } from './button.tsx';
import { useFocusOn } from './focus-guard.ts';

interface DisclosureProps {
  label: string;
  tone?: ButtonTone;
  /** Replaces the button while open; receives the function that closes it. */
  children(close: () => void): ReactNode;
}

/** A button that opens a form in its place. Focus moves into the form, then back to the button. */
export function Disclosure({ label, tone = 'primary', children }: DisclosureProps) {
  const [isOpen, setIsOpen] = useState(false);
  // Skips a hidden first field meant for password managers.
  const inside = isOpen ? ':is(input, select, textarea):not([hidden])' : 'button';
  const place = useFocusOn(isOpen ? 'form' : 'button', { isLater: true, inside });
  return (
    <div ref={place} style={{ display: 'grid' }}>
      {isOpen ? (
        children(() => setIsOpen(false))
      ) : (
        <Button tone={tone} onClick={() => setIsOpen(true)}>
          {label}
        </Button>
      )}
    </div>
  );
}
