import { useAtom, useSetAtom } from 'jotai';
import { useState } from 'react';
import { useSignedIn } from '#data/services.ts';
import { position as words } from '#messages/en/position.ts';
import { locateAtom } from '#state/position.ts';
import { positionSharerAtom } from '#state/position-sharing.ts';
import { Card } from '#ui/card.tsx';
import { Checkbox } from '#ui/field.tsx';
import { dismissToast, showError } from '#ui/toast.tsx';

/** A shared subject: each toast replaces the previous one. */
const about = { subject: 'position' };

/** The courier's switch; it goes on only once the phone has let Kaya know where it is. */
export function PositionCard() {
  const { id } = useSignedIn().userInfo;
  const [sharer, setSharer] = useAtom(positionSharerAtom);
  const locate = useSetAtom(locateAtom);
  const [isLocating, setIsLocating] = useState(false);

  const choose = async (isOn: boolean) => {
    if (isLocating) return;
    dismissToast(about.subject);
    if (!isOn) return setSharer('');
    setIsLocating(true);
    const { located } = await locate();
    setIsLocating(false);
    if (located === 'located') setSharer(id);
    else showError(words[located], about);
  };

  return (
    <Card title={words.title}>
      <Checkbox
        label={words.share}
        hint={`${words.note} ${words.details}`}
        isChecked={sharer === id || isLocating}
        onChange={(isOn) => void choose(isOn)}
      />
    </Card>
  );
}
