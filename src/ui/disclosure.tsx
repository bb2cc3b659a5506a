import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, type ButtonTone } from './button.tsx';

interface DisclosureProps {
  label: string;
  tone?: ButtonTone;
  /** What opens in the button's place, with what closes it again. */
  children(close: () => void): ReactNode;
}

/** A button in whose place a form opens. The focus goes into the form, and back to the button. */
export function Disclosure({ label, tone = 'primary', children }: DisclosureProps) {
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    // A form may begin with what only password managers read.
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
