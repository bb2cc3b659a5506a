import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { PackageView } from '#domain/overlay.ts';
import { nextStop } from '#domain/stops.ts';
import { displayName } from '#domain/user.ts';
import { packages as words } from '#messages/en/packages.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';
import { useNow } from '#ui/use-now.ts';
import css from './package-card.module.css';
import { StopLinks, When } from './stops.tsx';

/** Where the courier goes next: address, time, who to call. */
export function NextStop({ view }: { view: PackageView }) {
  const stop = nextStop(view, useNow());
  if (!stop) return null;
  const task =
    stop === 'pickup'
      ? words.nextStop.collect(displayName(view.sender))
      : words.nextStop.deliver(view.recipientName);
  return (
    <Card title={words.nextStop.title} aside={<When iso={view[`${stop}Date`]} isDue />}>
      <p>
        <Link className={css.address} to={`/package-detail/${view.id}`}>
          {view[`${stop}Address`]}
          <ChevronRight aria-hidden />
        </Link>
        <span className={css.state}>{task}</span>
      </p>
      <div className={layout.actions}>
        <StopLinks view={view} stop={stop} />
      </div>
    </Card>
  );
}
