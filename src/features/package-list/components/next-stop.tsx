import { ChevronRight } from 'lucide-react';
import { type ReactNode, useContext } from 'react';
import { Link } from 'react-router-dom';
import type { PackageView } from '#domain/overlay.ts';
import { dueAt, type StopName } from '#domain/stops.ts';
import { displayName } from '#domain/user.ts';
import { packages as words } from '#messages/en/packages.ts';
import css from '#package-ui/package-card.module.css';
import { StopLinks, When } from '#package-ui/stops.tsx';
import { Card } from '#ui/card.tsx';
import { BesideContext } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';

interface NextStopProps {
  view: PackageView;
  stop: StopName;
  /** '2.1 km away · trip 6 km'; '' if unknown. */
  distances: string;
  children: ReactNode;
}

/** The courier's next stop: address, time, contact. */
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
            <bdi>{view[`${stop}Address`]}</bdi>
            <ChevronRight aria-hidden />
          </Link>
          <span className={layout.soft} dir="auto">
            {[task, distances].filter(Boolean).join(' · ')}
          </span>
        </p>
        <div className={layout.choices}>
          <StopLinks view={view} stop={stop} />
        </div>
        {children}
      </Card>
    </div>
  );
}
