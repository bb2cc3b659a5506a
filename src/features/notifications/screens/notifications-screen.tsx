import { Bell, BellOff } from 'lucide-react';
import { AreaChoice } from '#features/notifications/components/area-choice.tsx';
import { type Push, usePush } from '#features/notifications/hooks/use-push.ts';
import { notifications as words } from '#messages/en/notifications.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card, Notice, Skeletons } from '#ui/card.tsx';
import { Checkbox } from '#ui/field.tsx';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';

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
  const off = <BellOff aria-hidden size={32} />;
  if (kinds.length === 0) return <Notice icon={off} text={words.none} />;
  if (state.kind === 'loading') return <Skeletons label={words.loading} />;
  if (state.kind === 'unsupported') return <Notice icon={off} text={words.unsupported} />;
  if (state.kind === 'install') return <Notice icon={off} text={words.install} />;
  if (state.kind === 'blocked') {
    return (
      <Card title={words.blocked.title}>
        <p>{words.blocked.text}</p>
      </Card>
    );
  }
  if (state.kind === 'off') {
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
  return <Switches {...push} choice={state.choice} />;
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
