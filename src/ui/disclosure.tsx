import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, type ButtonTone } from './button.tsx';

interface DisclosureProps {
  label: string;
  tone?: ButtonTone;
  /** Replaces the button while open; receives the function that closes it. */
  children(close: () => void): ReactNode;
}

/** A button that opens a form in its place. Focus moves into the form, then back to the button. */
export function Disclosure({ label, tone = 'primary', children }: DisclosureProps) {
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    // Skips a hidden first field meant for password managers.
    const first = isOpen ? ':is(input, select, textarea):not([hidden])' : 'button';
    place.current?.querySelector<HTMLElement>(first)?.focus();
  }, [isOpen]);
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
