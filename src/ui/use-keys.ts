/**
 * A desk's keys: '/' searches, 'j' and 'k' move through the list's rows, Enter opens one (it is a
 * link), Escape closes what is open. Not while typing, and not under a dialog.
 */
import { useEffect, useRef } from 'react';

/** As in `aria-keyshortcuts`. */
export const deskKeys = '/ j k Enter Escape';

const typing = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';
const asking = 'dialog, [role=alertdialog]';

function step(pane: Element, by: 1 | -1): void {
  const rows = [...pane.querySelectorAll<HTMLElement>('[data-row]')];
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  const from = focused >= 0 ? focused : rows.findIndex((row) => row.ariaCurrent === 'true');
  const topPx = pane.getBoundingClientRect().top;
  const isSeen = (row: HTMLElement) => row.getBoundingClientRect().top >= topPx;
  const next = from >= 0 ? rows[from + by] : rows.find(isSeen);
  next?.querySelector<HTMLElement>('a[href], button:not(:disabled)')?.focus();
}

interface DeskKeys {
  /** The element with the list's rows. */
  pane(): Element | null;
  /** Null: nothing is open. */
  onClose: (() => void) | null;
}

export function useKeys(keys: DeskKeys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as Element;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest(typing) || target.closest(asking)) return;
      if (document.querySelector('dialog[open]')) return;
      const { pane, onClose } = current.current;
      const list = pane();
      if (event.key === 'Escape') onClose?.();
      else if (event.key === '/') {
        const field = (list ?? document).querySelector<HTMLElement>('input[type=search]');
        if (field) event.preventDefault();
        field?.focus();
      } else if (list && event.key === 'j') step(list, 1);
      else if (list && event.key === 'k') step(list, -1);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
