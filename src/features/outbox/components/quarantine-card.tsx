import { useSignedIn } from '#data/services.ts';
import { useQuarantine } from '#data/use-outbox.ts';
import { formatDate } from '#domain/dates.ts';
import { outbox as words } from '#messages/en/outbox.ts';
import { Badge } from '#ui/badge.tsx';
import { Card, Fact, Facts } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';
import { CopyAndDiscard } from './copy-and-discard.tsx';

/** Changes saved by another app version that this one cannot read; empty if there are none. */
export function QuarantineList() {
  const { engine } = useSignedIn();
  const rows = useQuarantine() ?? [];
  const { title, badge, text, since, discardText } = words.quarantine;
  if (rows.length === 0) return null;
  return (
    <ul className={layout.stack}>
      {rows.map((row) => (
        <li key={row.seq}>
          <Card title={title} aside={<Badge tone="bad">{badge}</Badge>}>
            <p>{text}</p>
            <Facts>
              <Fact label={since}>{formatDate(row.at, '')}</Fact>
            </Facts>
            <CopyAndDiscard
              details={() => JSON.stringify(row, null, 2)}
              discard={() => engine.discardQuarantined(row.seq)}
              question={discardText}
            />
          </Card>
        </li>
      ))}
    </ul>
  );
}
