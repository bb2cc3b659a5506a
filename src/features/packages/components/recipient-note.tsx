/** What the recipient last told the courier: on top of the detail, and a line of the cards. */
import { MessageCircle } from 'lucide-react';
import { timeText } from '#domain/dates.ts';
import type { PackageView } from '#domain/overlay.ts';
import { noteKindOf, shownNote } from '#features/packages/recipient-note-rules.ts';
import { packages } from '#messages/en/packages.ts';
import layout from '#ui/stack.module.css';
import { useNow } from '#ui/use-now.ts';
import css from './recipient-note.module.css';

const words = packages.recipientNote;

export function RecipientNote({ view }: { view: PackageView }) {
  const nowMs = useNow();
  const note = shownNote(view);
  if (!note) return null;
  const kind = noteKindOf(note.kind);
  return (
    <div className={css.note} data-note>
      <MessageCircle aria-hidden size={20} />
      <div>
        <p>
          <strong>{kind ? words.said(kind) : words.from}</strong>
          {' · '}
          <time dateTime={note.at}>{timeText(note.at, nowMs)}</time>
        </p>
        <p className={css.text}>{note.text}</p>
      </div>
    </div>
  );
}

export function RecipientNoteLine({ view }: { view: PackageView }) {
  const note = shownNote(view);
  if (!note) return null;
  return (
    <p className={`${layout.clamped} ${css.line}`} data-note>
      {words.said(note.text)}
    </p>
  );
}
