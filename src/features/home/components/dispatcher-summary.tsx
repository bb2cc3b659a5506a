import { Bike } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { useActor } from '#data/use-actor.ts';
import { useNow } from '#data/use-now.ts';
import { useUsers } from '#data/use-users.ts';
import { formatCount } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { isLate } from '#domain/stops.ts';
import { dispatch } from '#messages/en/dispatch.ts';
import { homeSummary as words } from '#messages/en/home-summary.ts';
import { type CourierChoice, courierChoices } from '#package-ui/courier-choices.ts';
import { deliveriesTab, mostUrgent } from '#package-ui/list-rules.ts';
import layout from '#ui/stack.module.css';
import { broadMedia, useMedia } from '#ui/use-media.ts';
import css from './dispatcher-summary.module.css';
import { Heading, Row, StopRow, useGlanced, useRoom } from './home-rows.tsx';

interface NumberProps {
  to: string;
  label: string;
  figure: number;
  isBad?: boolean;
}

function Figure({ to, label, figure, isBad }: NumberProps) {
  return (
    <Link className={css.number} to={to} data-bad={isBad}>
      <strong>{formatCount(figure)}</strong> {label}
    </Link>
  );
}

interface Props {
  views: readonly PackageView[];
}

/** Each number with its packages and the link to their list. */
function useLists(views: readonly PackageView[]) {
  const nowMs = useNow();
  const actor = useActor();
  const pressing = deliveriesTab(views, actor, 'all', nowMs).views;
  const late = pressing.filter((view) => isLate(view, nowMs));
  const problems = pressing.filter(({ dispute }) => dispute !== null);
  return [
    {
      to: '/delivery/all?status=problem',
      label: words.problems(problems.length),
      isBad: true,
      found: problems,
    },
    { to: '/delivery/all?status=late', label: words.late, isBad: late.length > 0, found: late },
    {
      to: '/delivery/pending?status=',
      label: words.unassigned,
      found: pressing.filter(({ status }) => status === 'pending'),
    },
    {
      to: '/delivery/all?status=in-transit',
      label: words.inTransit,
      found: pressing.filter(({ status }) => status === 'in-transit'),
    },
  ].filter(({ found }) => found !== problems || found.length > 0);
}

interface NumbersProps {
  lists: ReturnType<typeof useLists>;
  children?: ReactNode;
}

function Numbers({ lists, children }: NumbersProps) {
  return (
    <div className={`${layout.row} ${css.numbers}`}>
      {lists.map(({ found, ...list }) => (
        <Figure key={list.to} {...list} figure={found.length} />
      ))}
      {children}
    </div>
  );
}

const stopRows = (views: readonly PackageView[]) =>
  views.map((view) => <StopRow key={view.id} view={view} />);

/**
 * The numbers, then what is late or has no courier: over a phone's map if that shows nothing, the
 * couriers here then. In a wide window, each number's packages.
 */
export function DispatcherSummary({ views }: Props) {
  const { most } = useRoom();
  const isBoard = useMedia(broadMedia);
  const isAbove = useGlanced() > 1;
  const lists = useLists(views);
  const urgent = mostUrgent(views, useNow()).slice(0, most);
  const couriers = useCouriers(views);
  const count = couriers.length > 0 && (
    <Figure to="/users-list" label={words.couriers} figure={couriers.length} />
  );
  if (isBoard) {
    return (
      <div className={css.board} data-board="">
        {lists.map(({ found, ...list }, at) => {
          // A card is in the first column that it belongs to.
          const seen = lists.slice(0, at).flatMap((before) => before.found.slice(0, most));
          const rows = found.filter((view) => !seen.includes(view)).slice(0, most);
          return (
            <section key={list.to} className={layout.tight}>
              <h2>
                <Figure {...list} figure={found.length} />
              </h2>
              {stopRows(rows)}
            </section>
          );
        })}
        <section className={layout.tight}>
          {count && <h2>{count}</h2>}
          <CourierRows couriers={couriers} />
        </section>
      </div>
    );
  }
  if (!isAbove) {
    return (
      <>
        {(most > 1 || urgent.length === 0) && <Numbers lists={lists} />}
        {urgent.length > 0 && <Heading>{words.urgent}</Heading>}
        {stopRows(urgent)}
      </>
    );
  }
  return (
    <>
      {/* The lowest sheet has room for a row of them. */}
      <Numbers lists={lists}>{most > 1 && count}</Numbers>
      {most > 1 && <CourierRows couriers={couriers} />}
    </>
  );
}

/** Content that does not fit the sheet: the lowest one has no room for the numbers. */
export function DispatcherGlance({ views }: Props) {
  const { most } = useRoom();
  const glanced = useGlanced();
  const lists = useLists(views);
  const urgent = mostUrgent(views, useNow()).slice(0, Math.max(1, glanced));
  if (urgent.length === 0) return null;
  if (glanced <= 1) return most === 1 && glanced > 0 && <Numbers lists={lists} />;
  return (
    <>
      <h2 className={layout.spread}>
        {words.urgent} <Link to="/delivery/all">{words.seeAll}</Link>
      </h2>
      {stopRows(urgent)}
    </>
  );
}

const mostCouriers = 20;

/** The least loaded first; see `courierChoices`. */
function useCouriers(views: readonly PackageView[]): readonly CourierChoice[] {
  const users = useUsers();
  return useMemo(() => (users ? courierChoices(users, views) : []), [users, views]);
}

function CourierRows({ couriers }: { couriers: readonly CourierChoice[] }) {
  return couriers.slice(0, mostCouriers).map(({ id, name, carries, vehicle }) => (
    <Row key={id} to={`/edit-user/${id}`} title={name} icon={<Bike aria-hidden size={20} />}>
      <span>{dispatch.picker.carries(carries)}</span>
      {vehicle && <span dir="auto">{vehicle}</span>}
    </Row>
  ));
}
