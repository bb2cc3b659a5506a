import { usePersistence, useStorageFault } from '#live/use-storage.ts';
import layout from '#ui/stack.module.css';
import { words } from './words.ts';

/** How well this phone keeps what is not sent yet (DESIGN.md section 5, guarantee 11). */
export function StorageNote() {
  const fault = useStorageFault();
  const persistence = usePersistence();
  if (fault === 'none') return <p className={layout.soft}>{words.storage.none}</p>;
  if (persistence === undefined) return null;
  return <p className={layout.soft}>{words.storage[persistence]}</p>;
}
