import { SlidersHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import { formatCount } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { statusLabel } from '#domain/status.ts';
import { displayName, type Party } from '#domain/user.ts';
import type { ListChoice } from '#features/packages/hooks/use-list-choice.ts';
import { useChooseSort } from '#features/packages/hooks/use-place.ts';
import {
  countChosen,
  isNarrowed,
  sortChoices,
  statusChoices,
  type TabName,
} from '#features/packages/list-rules.ts';
import { packages as words } from '#messages/en/packages.ts';
import { packageSorts } from '#state/package-ui.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { type Choice as Option, SelectField } from '#ui/field.tsx';
import { SearchField } from '#ui/search-field.tsx';
import css from './list-tools.module.css';

interface ListToolsProps {
  tab: TabName;
  choice: ListChoice;
  views: readonly PackageView[];
  shownCount: number;
}

export function ListTools({ tab, choice, views, shownCount }: ListToolsProps) {
  const id = useId();
  const chosen = countChosen(choice.current);
  const [isOpen, setIsOpen] = useState(chosen > 0);
  return (
    <div className={css.tools}>
      <div className={css.row}>
        <SearchField
          label={words.list.search}
          clearLabel={words.list.clearSearch}
          placeholder={words.list.placeholder}
          value={choice.query}
          onChange={choice.setQuery}
        />
        <span className={css.arrange}>
          <IconButton
            label={chosen > 0 ? words.list.arrangeChosen(chosen) : words.list.arrange}
            icon={<SlidersHorizontal aria-hidden />}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          />
          {chosen > 0 && (
            <span className={css.count} aria-hidden>
              {chosen}
            </span>
          )}
        </span>
      </div>
      <div id={id} className={css.panel} hidden={!isOpen}>
        {isOpen && <Arrangement tab={tab} choice={choice} views={views} />}
      </div>
      <Result choice={choice} total={views.length} shownCount={shownCount} />
    </div>
  );
}

function Result(props: { choice: ListChoice; total: number; shownCount: number }) {
  const { choice, total, shownCount } = props;
  const isActive = isNarrowed(choice.current) || countChosen(choice.current) > 0;
  return (
    <div className={isActive ? css.result : undefined}>
      <p role="status">
        {isNarrowed(choice.settled) &&
          words.list.shown(formatCount(shownCount), formatCount(total))}
      </p>
      {isActive && (
        <Button tone="plain" onClick={choice.clear}>
          {words.list.clear}
        </Button>
      )}
    </div>
  );
}

function people(parties: Iterable<Party | null>, any: string): Option[] {
  const names = new Map<string, string>();
  for (const party of parties) if (party) names.set(party.id, displayName(party));
  const options = [...names].map(([value, label]) => ({ value, label }));
  return [{ value: '', label: any }, ...options.sort((a, b) => a.label.localeCompare(b.label))];
}

function Arrangement({ tab, choice, views }: Omit<ListToolsProps, 'shownCount'>) {
  const { sort, filters } = choice.current;
  const { choose, isLocating } = useChooseSort(choice.setSort);
  const statuses = statusChoices(tab);
  const sorts = sortChoices(tab, choice.isCourier).map((value) => ({
    value,
    label: value === '' ? words.list.sorts[''][tab] : words.list.sorts[value],
  }));
  return (
    <>
      <SelectField
        label={words.list.sort}
        name="sort"
        value={sort}
        choices={sorts}
        onChange={(text) => choose(packageSorts.find((each) => each === text) ?? '')}
        hint={isLocating ? words.list.locating : undefined}
      />
      {statuses.length > 0 && (
        <SelectField
          label={words.list.status}
          name="status"
          value={filters.status}
          choices={[
            { value: '', label: words.list.anyStatus },
            ...statuses.map((value) => ({ value, label: statusLabel(value) })),
          ]}
          onChange={(status) => choice.setFilter({ status })}
        />
      )}
      {tab === 'all' && <PeopleFilters choice={choice} views={views} />}
    </>
  );
}

function PeopleFilters({ choice, views }: Pick<ListToolsProps, 'choice' | 'views'>) {
  const { senderId, employeeId } = choice.current.filters;
  return (
    <>
      <SelectField
        label={words.list.sender}
        name="sender"
        value={senderId}
        choices={people(
          views.map(({ sender }) => sender),
          words.list.anySender,
        )}
        onChange={(id) => choice.setFilter({ senderId: id })}
      />
      <SelectField
        label={words.list.courier}
        name="courier"
        value={employeeId}
        choices={people(
          views.map(({ courier }) => courier),
          words.list.anyCourier,
        )}
        onChange={(id) => choice.setFilter({ employeeId: id })}
      />
    </>
  );
}
