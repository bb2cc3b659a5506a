import { ChevronRight } from 'lucide-react';
import { type ReactNode, useContext } from 'react';
import { Link } from 'react-router-dom';
import type { PackageView } from '#domain/overlay.ts';
import { dueAt, type StopName } from '#domain/stops.ts';
import { displayName } from '#domain/user.ts';
import { packages as words } from '#messages/en/packages.ts';
import { Card } from '#ui/card.tsx';
import { BesideContext } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import css from './package-card.module.css';
import { StopLinks, When } from './stops.tsx';

interface NextStopProps {
  view: PackageView;
  stop: StopName;
  /** '2.1 km away · trip 6 km'; '' if unknown. */
  distances: string;
  /** What else there is to say of this package. */
  children: ReactNode;
}

/** Where the courier goes next: address, time, who to call. */
export function NextStop({ view, stop, distances, children }: NextStopProps) {
  const { collect, bringBack } = words.nextStop;
  const toSender = view.progress === 'returning' ? bringBack : collect;
  const task =
    stop === 'pickup'
      ? toSender(displayName(view.sender))
      : words.nextStop.deliver(view.recipientName);
  const beside = useContext(BesideContext);
  return (
    // On a desk the first row of the list, by keys and when it is open.
    <div data-row="" aria-current={beside === view.id || undefined}>
      <Card title={words.nextStop.title} aside={<When iso={dueAt(view)} isDue />}>
        <p>
          <Link className={css.address} to={`/package-detail/${view.id}`}>
            {view[`${stop}Address`]}
            <ChevronRight aria-hidden />
          </Link>
          <span className={layout.soft}>{[task, distances].filter(Boolean).join(' · ')}</span>
        </p>
        <div className={layout.choices}>
          <StopLinks view={view} stop={stop} />
        </div>
        {children}
      </Card>
    </div>
  );
}
