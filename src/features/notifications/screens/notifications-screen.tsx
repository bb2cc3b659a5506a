import { Bell, BellOff } from 'lucide-react';
import type { Area } from '#contract/area.ts';
import { type Push, usePush } from '#features/notifications/hooks/use-push.ts';
import { notifications as words } from '#messages/en/notifications.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card, Notice, Skeletons } from '#ui/card.tsx';
import { Checkbox } from '#ui/field.tsx';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { showError } from '#ui/toast.tsx';

export function NotificationsScreen() {
  const push = usePush();
  return (
    <Screen title={words.title} lead={<BackButton label={words.back} to="/account" />}>
      <Contents {...push} />
    </Screen>
  );
}

function Contents(push: Push) {
  const { state, kinds, isBusy } = push;
  const notice = (text: string) => <Notice icon={<BellOff aria-hidden size={32} />} text={text} />;
  if (kinds.length === 0) return notice(words.none);
  if (state.kind === 'on') return <Switches {...push} choice={state.choice} />;
  if (state.kind === 'loading') return <Skeletons label={words.loading} />;
  if (state.kind === 'unsupported' || state.kind === 'install') return notice(words[state.kind]);
  if (state.kind === 'blocked') {
    return (
      <Card title={words.blocked.title}>
        <p>{words.blocked.text}</p>
      </Card>
    );
  }
  return (
    <Card title={words.title} aside={<Badge tone="neutral">{words.state.off}</Badge>}>
      <p>{words.state.text}</p>
      <Button isWide isBusy={isBusy} onClick={push.turnOn}>
        <Bell aria-hidden size={20} />
        {isBusy ? words.state.busy : words.state.turnOn}
      </Button>
    </Card>
  );
}

type SwitchesProps = Push & { choice: Extract<Push['state'], { kind: 'on' }>['choice'] };

function Switches({ kinds, isBusy, choice, choose, turnOff }: SwitchesProps) {
  return (
    <>
      <Card title={words.kindsTitle} aside={<Badge tone="good">{words.state.on}</Badge>}>
        {kinds.map((kind) => (
          <Checkbox
            key={kind}
            label={words.kinds[kind]}
            isChecked={choice.kinds.includes(kind)}
            onChange={(isChecked) => {
              const wanted = kinds.filter((one) =>
                one === kind ? isChecked : choice.kinds.includes(one),
              );
              choose({ ...choice, kinds: wanted });
            }}
          />
        ))}
        <p className={layout.soft}>{words.state.text}</p>
      </Card>
      {choice.kinds.includes('newPackage') && (
        <Card title={words.area.title}>
          <AreaChoice area={choice.area} onChoose={(area) => choose({ ...choice, area })} />
        </Card>
      )}
      <Button tone="quiet" isWide isBusy={isBusy} onClick={turnOff}>
        <BellOff aria-hidden size={20} />
        {isBusy ? words.state.busy : words.state.turnOff}
      </Button>
    </>
  );
}

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
  area: Area | null;
  onChoose(area: Area | null): void;
}

/** The position is requested once, on a tap, and stored rounded. */
function AreaChoice({ area, onChoose }: AreaChoiceProps) {
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
