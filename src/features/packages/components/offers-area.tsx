import { MapPin } from 'lucide-react';
import { useId, useState } from 'react';
import { useArePackagesWhole } from '#data/use-packages.ts';
import { radiiKm, useChooseArea, useWorkingArea } from '#data/use-working-area.ts';
import { area as words } from '#messages/en/area.ts';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/field.tsx';
import { showError } from '#ui/toast.tsx';
import css from './list-tools.module.css';

/** Which offers come to this phone at all: a courier's setting, also shown where none came. */
export function OffersArea() {
  // Its place is kept, and nothing is read before the rows.
  const isWhole = useArePackagesWhole();
  return <div className={css.area}>{isWhole && <AreaSwitch />}</div>;
}

function AreaSwitch() {
  const id = useId();
  const area = useWorkingArea();
  const [isOpen, setIsOpen] = useState(false);
  const { isLocating, choose } = useChooseArea(area);
  const take = async (km: number | null) => {
    const outcome = await choose(km);
    if (outcome !== 'chosen') showError(words[outcome], { subject: 'area' });
  };
  if (area === undefined) return null;
  return (
    <>
      <Button
        tone="plain"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <MapPin aria-hidden size={20} />
        {area ? words.within(area.km) : words.everywhere}
      </Button>
      <div id={id} hidden={!isOpen}>
        {isOpen && (
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
        )}
      </div>
    </>
  );
}
