import { Link } from 'react-router-dom';
import { formatCount } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { isLate } from '#domain/stops.ts';
import { mostUrgent } from '#features/packages/list-rules.ts';
import { homeSummary as words } from '#messages/en/home-summary.ts';
import { useNow } from '#ui/use-now.ts';
import { Heading, StopRow, useRoom } from './home-rows.tsx';
import css from './home-summary.module.css';

/** The numbers, then what is late or has no courier. */
export function DispatcherSummary({ views }: { views: readonly PackageView[] }) {
  const nowMs = useNow();
  const { most } = useRoom();
  const urgent = mostUrgent(views, nowMs).slice(0, most);
  const count = (isCounted: (view: PackageView) => boolean) => views.filter(isCounted).length;
  const late = count((view) => isLate(view, nowMs));
  const problems = count(({ dispute }) => dispute !== null);
  const numbers = [
    ...(problems > 0
      ? [
          {
            to: '/delivery/all?status=problem',
            label: words.problems(problems),
            figure: problems,
            isBad: true,
          },
        ]
      : []),
    {
      to: '/delivery/pending?status=',
      label: words.unassigned,
      figure: count(({ status }) => status === 'pending'),
    },
    {
      to: '/delivery/all?status=late',
      label: words.late,
      figure: late,
      isBad: late > 0,
    },
    {
      to: '/delivery/all?status=in-transit',
      label: words.inTransit,
      figure: count(({ status }) => status === 'in-transit'),
    },
  ];
  return (
    <>
      {(most > 1 || urgent.length === 0) && (
        <div className={css.numbers}>
          {numbers.map(({ to, label, figure, isBad }) => (
            <Link key={label} className={css.number} to={to} data-bad={isBad}>
              <strong>{formatCount(figure)}</strong> {label}
            </Link>
          ))}
        </div>
      )}
      {urgent.length > 0 && <Heading>{words.urgent}</Heading>}
      {urgent.map((view) => (
        <StopRow key={view.id} view={view} />
      ))}
    </>
  );
}
