/**
 * Parts of a form still in progress: a photo being shrunk, a signature being stored, a position
 * being read. Submitting waits for all of them and then reads the form. If a part fails, nothing is
 * submitted: the part explains why, and the form stays.
 */
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react';

/** Null: nothing in progress. Otherwise resolves with its success; the part explains a failure. */
export type Finish = () => Promise<boolean> | null;

/** Null: nothing in progress. Otherwise resolves with true if all parts succeed. */
export function finishAll(parts: Iterable<Finish>): Promise<boolean> | null {
  const making = [...parts].flatMap((finish) => finish() ?? []);
  if (making.length === 0) return null;
  return Promise.all(making).then(
    (made) => made.every(Boolean),
    () => false,
  );
}

interface FormParts {
  /** A submit is waiting for them. */
  isWaiting: boolean;
  parts: Set<Finish>;
}

export const FormPartsContext = createContext<FormParts | null>(null);

/** `submit` may be called at any time; `onSubmit` is called once everything is there. */
export function useFormParts(onSubmit: () => void) {
  const [parts] = useState(() => new Set<Finish>());
  const [isWaiting, setIsWaiting] = useState(false);
  /** How often a submit has waited to the end. */
  const [waits, setWaits] = useState(0);
  const isHeld = useRef(false);

  const submit = () => {
    if (isHeld.current) return;
    const making = finishAll(parts);
    if (!making) return onSubmit();
    isHeld.current = true;
    setIsWaiting(true);
    void making.then((areMade) => {
      isHeld.current = false;
      setIsWaiting(false);
      if (areMade) setWaits((count) => count + 1);
    });
  };
  const latest = useRef(submit);
  latest.current = submit;
  // Rendered with the finished parts; another may have started meanwhile.
  useEffect(() => {
    if (waits > 0) latest.current();
  }, [waits]);

  return { submit, context: useMemo(() => ({ isWaiting, parts }), [isWaiting, parts]) };
}

/** A part of the form around it, for as long as it is shown. */
export function useFormPart(finish: Finish): void {
  const parts = useContext(FormPartsContext)?.parts;
  if (!parts) throw new Error('A part without a form would be left out.');
  const latest = useRef(finish);
  latest.current = finish;
  useEffect(() => {
    const part = () => latest.current();
    parts.add(part);
    return () => {
      parts.delete(part);
    };
  }, [parts]);
}

/** For parts made outside the form. */
export function FormPart({ finish }: { finish: Finish }): null {
  useFormPart(finish);
  return null;
}
