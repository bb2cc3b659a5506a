import { MapPin } from 'lucide-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { Area } from '#contract/area.ts';
import { radiiKm, useChooseArea } from '#data/use-working-area.ts';
import { area as words } from '#messages/en/area.ts';
import { packages } from '#messages/en/packages.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { PanelDialog } from '#ui/dialog.tsx';
import { SelectField } from '#ui/field.tsx';
import { showError } from '#ui/toast.tsx';

/**
 * Sets the area whose offers this phone receives. In the header it takes no room from the list and
 * is also there when the list is empty.
 */
export function OffersArea({ area }: { area: Area | null }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton
        label={area ? words.within(area.km) : words.everywhere}
        caption={area ? words.km(area.km) : words.everywhere}
        icon={<MapPin aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      />
      {/* Outside the header, whose colours it would inherit. */}
      {isOpen &&
        createPortal(<AreaDialog area={area} onClose={() => setIsOpen(false)} />, document.body)}
    </>
  );
}

function AreaDialog({ area, onClose }: { area: Area | null; onClose(): void }) {
  const { isLocating, choose } = useChooseArea(area);
  const take = async (km: number | null, isHere = false) => {
    const outcome = await choose(km, isHere);
    if (outcome === 'chosen') onClose();
    else showError(words[outcome], { subject: 'area' });
  };
  return (
    <PanelDialog title={words.title} onClose={onClose}>
      <SelectField
        label={words.legend}
        name="area"
        value={area ? String(area.km) : ''}
        choices={[
          { value: '', label: words.everywhere },
          ...radiiKm.map((km) => ({ value: String(km), label: words.within(km) })),
        ]}
        onChange={(text) => void take(text === '' ? null : Number(text))}
        hint={isLocating ? words.locating : words.note}
      />
      {area && (
        <Button tone="quiet" isWide isBusy={isLocating} onClick={() => void take(area.km, true)}>
          {words.renew}
        </Button>
      )}
      <Button tone="quiet" isWide onClick={onClose}>
        {packages.cancel}
      </Button>
    </PanelDialog>
  );
}
