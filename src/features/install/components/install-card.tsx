/** Offers to install the app: once after a success, and permanently under Account. */

import { useAtom, useAtomValue } from 'jotai';
import { Download, Share, SquarePlus } from 'lucide-react';
import { useId, useState, useSyncExternalStore } from 'react';
import { serverNow } from '#data/use-now.ts';
import {
  askToInstall,
  installWay,
  subscribeToInstallPrompt,
} from '#features/install/install-prompt.ts';
import { install as words } from '#messages/en/install.ts';
import { hasAchievedAtom, installDeclinedAtAtom, isDeclined } from '#state/install.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';
import css from './install.module.css';

function useInstall() {
  const way = useSyncExternalStore(subscribeToInstallPrompt, installWay);
  const [declinedAtMs, setDeclinedAtMs] = useAtom(installDeclinedAtAtom);
  const decline = () => setDeclinedAtMs(serverNow());
  const install = async () => {
    if (!(await askToInstall())) decline();
  };
  return { way, declinedAtMs, install: () => void install(), decline };
}

function ShareSteps() {
  return (
    <ol className={`${layout.tight} ${css.steps}`}>
      <li>
        <span className={`${layout.tile} ${layout.neutral}`}>
          <Share aria-hidden size={22} />
        </span>
        <span>{words.shareSteps[0]}</span>
      </li>
      <li>
        <span className={`${layout.tile} ${layout.neutral}`}>
          <SquarePlus aria-hidden size={22} />
        </span>
        <span>{words.shareSteps[1]}</span>
      </li>
    </ol>
  );
}

export function InstallCard() {
  const { way, install } = useInstall();
  if (way === null) return null;
  return (
    <Card title={words.title}>
      <p className={layout.soft}>{way === 'share' ? words.shareText : words.text}</p>
      {way === 'share' ? (
        <ShareSteps />
      ) : (
        <Button isWide onClick={install}>
          <Download aria-hidden />
          {words.install}
        </Button>
      )}
    </Card>
  );
}

/** Shown after the first created or accepted package; once declined, hidden for months. */
export function InstallOffer() {
  const { way, declinedAtMs, install, decline } = useInstall();
  const hasAchieved = useAtomValue(hasAchievedAtom);
  const [openedAtMs] = useState(serverNow);
  const id = useId();
  if (way === null || !hasAchieved || isDeclined(declinedAtMs, openedAtMs)) return null;
  return (
    <section className={`${layout.tight} ${css.offer}`} aria-labelledby={id}>
      <div className={`${layout.row} ${css.lead}`}>
        <img src="/icons/mark.svg" alt="" width="44" height="44" />
        <div>
          <h2 id={id}>{words.title}</h2>
          <p className={layout.note}>{way === 'share' ? words.shareText : words.text}</p>
        </div>
      </div>
      {way === 'share' && <ShareSteps />}
      <div className={layout.actions}>
        <Button tone="quiet" onClick={decline}>
          {words.notNow}
        </Button>
        {way === 'prompt' && <Button onClick={install}>{words.install}</Button>}
      </div>
    </section>
  );
}
