import { CircleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useOperations } from '#live/use-outbox.ts';
import { buttonClass } from '#ui/button.tsx';
import { words } from './words.ts';

/** A package whose creation was refused is in no list, so the list says where it is. */
export function RefusedCreations() {
  const refused = (useOperations() ?? []).filter(
    ({ name, state }) => name === 'createPackage' && state === 'attention',
  );
  const [first] = refused;
  if (!first) return null;
  return (
    <Link className={buttonClass('danger', true)} to={`/outbox?about=${first.targetId}`}>
      <CircleAlert aria-hidden size={20} />
      {words.refusedCreations(refused.length)}
    </Link>
  );
}
