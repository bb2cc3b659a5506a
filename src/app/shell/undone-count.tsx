import { useOutboxCounts } from '#data/use-outbox.ts';
import { app as words } from '#messages/en/app.ts';
import tabs from '#ui/tabs.module.css';

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
