import { useOutboxCounts } from '#live/use-outbox.ts';
import tabs from '#ui/tabs.module.css';
import { words } from './words.ts';

/** What the server has not done yet, on the tab that leads to it. */
export function UndoneCount() {
  const counts = useOutboxCounts();
  const total = counts.waiting + counts.attention;
  if (total === 0) return null;
  return (
    <span className={tabs.count} data-urgent={counts.attention > 0}>
      <span aria-hidden>{total}</span>
      <span className="visually-hidden"> {words.tabs.undone(counts)}</span>
    </span>
  );
}
