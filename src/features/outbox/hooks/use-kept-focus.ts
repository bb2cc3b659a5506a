import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

interface At {
  item: HTMLElement;
  key: string;
  place: number;
}

/**
 * Focus follows its card to another list; if the card is removed, it goes to the successor or
 * finally the container. Items need a `data-key`.
 */
export function useKeptFocus(): {
  ref: RefObject<HTMLDivElement | null>;
  onFocus(event: FocusEvent): void;
} {
  const box = useRef<HTMLDivElement>(null);
  const at = useRef<At | null>(null);
  const items = () => [...(box.current?.querySelectorAll<HTMLElement>('li[data-key]') ?? [])];
  useEffect(() => {
    if (!at.current || at.current.item.isConnected) return;
    const { key, place } = at.current;
    at.current = null;
    if (document.activeElement && document.activeElement !== document.body) return;
    const there = items();
    const same = there.find((item) => item.dataset.key === key);
    (same ?? there[Math.min(place, there.length - 1)] ?? box.current)?.focus();
  });
  return {
    ref: box,
    onFocus: ({ target }) => {
      const item = target.closest<HTMLElement>('li[data-key]');
      const key = item?.dataset.key;
      at.current = item && key ? { item, key, place: items().indexOf(item) } : null;
    },
  };
}
