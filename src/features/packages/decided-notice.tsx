import { CloudCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { sendingWords } from '#live/words.ts';
import { buttonClass } from '#ui/button.tsx';
import { Notice } from '#ui/card.tsx';
import { words } from './words.ts';

/** Where the refused change that was to be mended is not there any more. */
export function DecidedNotice() {
  return (
    <Notice icon={<CloudCheck aria-hidden size={40} />} text={sendingWords.decided}>
      <Link className={buttonClass('quiet')} to="/outbox">
        {words.toChanges}
      </Link>
    </Notice>
  );
}
