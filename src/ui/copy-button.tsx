import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from './button.tsx';

const shownMs = 2000;

interface CopyButtonProps {
  /** Accessible name: 'Copy pickup address'. */
  label: string;
  text: string;
  onDone(isCopied: boolean): void;
}

/** False if the browser has no clipboard or denies access to it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function CopyButton({ label, text, onDone }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    const isDone = await copyText(text);
    onDone(isDone);
    if (!isDone) return;
    setIsCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsCopied(false), shownMs);
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <IconButton label={label} icon={<Icon aria-hidden size={20} />} onClick={() => void copy()} />
  );
}
