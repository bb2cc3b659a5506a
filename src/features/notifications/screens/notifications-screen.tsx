import { Bell, BellOff } from 'lucide-react';
import { radiiKm, useChooseArea, useWorkingArea } from '#data/use-working-area.ts';
import { type Push, usePush } from '#features/notifications/hooks/use-push.ts';
import { area as areaWords } from '#messages/en/area.ts';
import { notifications as words } from '#messages/en/notifications.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card, Notice, Skeletons } from '#ui/card.tsx';
import { Checkbox } from '#ui/field.tsx';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { showError, showSuccess } from '#ui/toast.tsx';
import { deskMedia, useMedia } from '#ui/use-media.ts';

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
  const notice = (title: string) => (
    <Notice icon={<BellOff aria-hidden size={40} />} title={title} />
  );
  if (kinds.length === 0) return notice(words.none);
  if (state.kind === 'on') return <Switches {...push} choice={state.choice} />;
  if (state.kind === 'loading') return <Skeletons label={words.loading} />;
  if (state.kind === 'unsupported' || state.kind === 'install') return notice(words[state.kind]);
  if (state.kind === 'blocked') return <Blocked {...push} />;
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

function Blocked({ lookAgain }: Push) {
  const { title, text, open, allow, comeBack, check } = words.blocked;
  const device = useMedia(deskMedia) ? 'desk' : 'phone';
  const shownIn = useMedia('(display-mode: browser)') ? 'browser' : 'app';
  return (
    <Notice icon={<BellOff aria-hidden size={40} />} title={title} text={text}>
      <ol className={layout.steps}>
        <li>{open[device][shownIn]}</li>
        <li>{allow[device]}</li>
        <li>{comeBack}</li>
      </ol>
      <Button onClick={lookAgain}>{check}</Button>
    </Notice>
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
        <Card title={areaWords.title}>
          <AreaChoice />
        </Card>
      )}
      <Button tone="quiet" isWide isBusy={isBusy} onClick={turnOff}>
        <BellOff aria-hidden size={20} />
        {isBusy ? words.state.busy : words.state.turnOff}
      </Button>
    </>
  );
}

/** Chosen for the list as well. */
function AreaChoice() {
  const area = useWorkingArea();
  const { isLocating, choose } = useChooseArea(area);
  const take = async (km: number | null, isHere = false) => {
    const about = { subject: 'notifications' };
    const outcome = await choose(km, isHere);
    if (outcome === 'chosen') showSuccess(words.saved, about);
    else showError(areaWords[outcome], about);
  };
  return (
    <div className={layout.stack}>
      <RadioGroup legend={areaWords.legend} isDisabled={isLocating}>
        <RadioChoice
          name="area"
          label={areaWords.everywhere}
          isChosen={area === null}
          onChoose={() => void take(null)}
        />
        {radiiKm.map((km) => (
          <RadioChoice
            key={km}
            name="area"
            label={areaWords.within(km)}
            isChosen={area?.km === km}
            onChoose={() => void take(km)}
          />
        ))}
      </RadioGroup>
      <p className={layout.soft}>{areaWords.note}</p>
      {area && (
        <Button tone="quiet" isBusy={isLocating} onClick={() => void take(area.km, true)}>
          {areaWords.renew}
        </Button>
      )}
    </div>
  );
}
