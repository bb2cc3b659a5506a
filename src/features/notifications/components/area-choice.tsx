import type { PushArea } from '#contract/push.ts';
import { notifications as words } from '#messages/en/notifications.ts';
import { Button } from '#ui/button.tsx';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import layout from '#ui/stack.module.css';
import { showError } from '#ui/toast.tsx';

const radiiKm = [5, 10, 25] as const;

/** Rounds to about a kilometre on the phone, so that nothing more precise leaves it. */
const rounded = (degrees: number) => Math.round(degrees * 100) / 100;

function askPosition(): Promise<GeolocationPosition> {
  return new Promise((resolve, reject) => {
    const options = { maximumAge: 600_000, timeout: 20_000 };
    navigator.geolocation.getCurrentPosition(resolve, reject, options);
  });
}

interface AreaChoiceProps {
  area: PushArea | null;
  onChoose(area: PushArea | null): void;
}

/** The position is requested once, on a tap, and stored rounded. */
export function AreaChoice({ area, onChoose }: AreaChoiceProps) {
  const around = async (km: number) => {
    try {
      const { coords } = await askPosition();
      onChoose({ lat: rounded(coords.latitude), lng: rounded(coords.longitude), km });
    } catch {
      showError(words.area.failed, { subject: 'notifications' });
    }
  };
  return (
    <div className={layout.stack}>
      <RadioGroup legend={words.area.legend}>
        <RadioChoice
          name="area"
          label={words.area.everywhere}
          isChosen={area === null}
          onChoose={() => onChoose(null)}
        />
        {radiiKm.map((km) => (
          <RadioChoice
            key={km}
            name="area"
            label={words.area.within(km)}
            isChosen={area?.km === km}
            onChoose={() => (area ? onChoose({ ...area, km }) : void around(km))}
          />
        ))}
      </RadioGroup>
      <p className={layout.soft}>{words.area.note}</p>
      {area && (
        <Button tone="quiet" onClick={() => void around(area.km)}>
          {words.area.renew}
        </Button>
      )}
    </div>
  );
}
