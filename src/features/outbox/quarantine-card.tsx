import { useState } from 'react';
import { useSignedIn } from '#live/services.ts';
import { type Quarantined, useQuarantine } from '#live/use-quarantine.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card, Fact, Facts } from '#ui/card.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import layout from '#ui/stack.module.css';
import { showError, showSuccess } from '#ui/toast.tsx';
import { momentOf } from './age.ts';
import { words } from './words.ts';

/** What another version of the app has saved and this one cannot read; nothing where all is read. */
export function QuarantineList() {
  const rows = useQuarantine() ?? [];
  if (rows.length === 0) return null;
  return (
    <ul className={layout.stack}>
      {rows.map((row) => (
        <li key={row.seq}>
          <QuarantineCard quarantined={row} />
        </li>
      ))}
    </ul>
  );
}

function QuarantineCard({ quarantined }: { quarantined: Quarantined }) {
  const { engine } = useSignedIn();
  const [isAsking, setIsAsking] = useState(false);
  const copy = async () => {
    try {
      // Missing where the page is not served securely, which throws as a refusal does.
      await navigator.clipboard.writeText(JSON.stringify(quarantined, null, 2));
      showSuccess(words.copied, { subject: 'copy' });
    } catch {
      showError(words.notCopied, { subject: 'copy' });
    }
  };
  const discard = () => {
    setIsAsking(false);
    engine.discardQuarantined(quarantined.seq).catch(() => showError(words.failed));
  };
  return (
    <Card title={words.quarantine.title} aside={<Badge tone="bad">{words.quarantine.badge}</Badge>}>
      <p>{words.quarantine.text}</p>
      <Facts>
        <Fact label={words.quarantine.since}>{momentOf(quarantined.at)}</Fact>
      </Facts>
      <div className={layout.actions}>
        <Button tone="quiet" onClick={() => void copy()}>
          {words.copy}
        </Button>
        <Button tone="danger" onClick={() => setIsAsking(true)}>
          {words.discard}
        </Button>
      </div>
      {isAsking && (
        <QuestionDialog
          title={words.discardQuestion.title}
          text={words.quarantine.discardText}
          confirmLabel={words.discard}
          cancelLabel={words.discardQuestion.keep}
          confirmTone="danger"
          onConfirm={discard}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </Card>
  );
}
