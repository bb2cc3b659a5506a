/** The recipient's last note to the courier: on top of the detail, and a line of the cards. */
import { MessageCircle } from 'lucide-react';
import { useNow } from '#data/use-now.ts';
import { timeText } from '#domain/dates.ts';
import type { PackageView } from '#domain/overlay.ts';
import { packages } from '#messages/en/packages.ts';
import { noteKindOf, shownNote } from '#package-ui/recipient-note-rules.ts';
import layout from '#ui/stack.module.css';
import { Words } from '#ui/words.tsx';
import css from './recipient-note.module.css';

const words = packages.recipientNote;

export function RecipientNote({ view }: { view: PackageView }) {
  const nowMs = useNow();
  const note = shownNote(view);
  if (!note) return null;
  const kind = noteKindOf(note.kind);
  return (
    <div className={`${layout.box} ${layout.warn} ${css.note}`} data-note>
      <MessageCircle aria-hidden size={20} />
      <div>
        <p>
          <strong>{kind ? words.said(kind) : words.from}</strong>
          {' · '}
          <time dateTime={note.at}>{timeText(note.at, nowMs)}</time>
        </p>
        <p className={css.text}>
          <Words text={note.text} />
        </p>
      </div>
    </div>
  );
}

export function RecipientNoteLine({ view }: { view: PackageView }) {
  const note = shownNote(view);
  if (!note) return null;
  return (
    <p className={`${layout.clamped} ${css.line}`} data-note dir="auto">
      {words.said(note.text)}
    </p>
  );
}
