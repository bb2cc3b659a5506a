import { useAtom, useSetAtom } from 'jotai';
import { SlidersHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import { formatCount } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { displayName, type Party } from '#domain/user.ts';
import type { ListChoice } from '#features/package-list/hooks/use-list-choice.ts';
import { packages as words } from '#messages/en/packages.ts';
import {
  choiceLabel,
  countChosen,
  defaultSort,
  isNarrowed,
  type SearchedTab,
  sortChoices,
  statusChoices,
  type TabName,
} from '#package-ui/list-rules.ts';
import { areToolsOpenAtom, type PackageSort, packageSorts } from '#state/package-ui.ts';
import { locateAtom } from '#state/position.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { type Choice as Option, SelectField } from '#ui/field.tsx';
import { SearchField } from '#ui/search-field.tsx';
import layout from '#ui/stack.module.css';
import { showError } from '#ui/toast.tsx';
import css from './list-tools.module.css';

interface ListToolsProps {
  tab: TabName;
  choice: ListChoice;
  contents: SearchedTab;
  shownCount: number;
}

export function ListTools({ tab, choice, contents, shownCount }: ListToolsProps) {
  const { views, others } = contents;
  const id = useId();
  const chosen = countChosen(choice.current);
  const isActive = isNarrowed(choice.current) || chosen > 0;
  const [wanted, setIsOpen] = useAtom(areToolsOpenAtom);
  const isOpen = wanted ?? chosen > 0;
  const order = choice.current.sort || defaultSort(tab, choice.reader);
  return (
    <div className={layout.tight}>
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
            label={words.list.arrange(words.list.sorts[order], chosen)}
            caption={words.list.orders[order]}
            icon={<SlidersHorizontal aria-hidden />}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          />
          {chosen > 0 && (
            <span className={`${layout.count} ${css.count}`} aria-hidden>
              {chosen}
            </span>
          )}
        </span>
      </div>
      <div id={id} className={`${layout.grid} ${css.panel}`} hidden={!isOpen}>
        {isOpen && <Arrangement tab={tab} choice={choice} views={views} />}
      </div>
      <div className={isActive ? `${layout.row} ${layout.soft} ${css.result}` : css.quiet}>
        <p role="status">
          {isNarrowed(choice.settled) &&
            words.list.shown(
              formatCount(shownCount),
              formatCount(views.length + (choice.settled.query ? others.length : 0)),
            )}
        </p>
        {/* With none found, it is below the reason. */}
        {isActive && shownCount > 0 && (
          <Button tone="plain" onClick={choice.clear}>
            {words.list.clear}
          </Button>
        )}
      </div>
    </div>
  );
}

function people(parties: readonly (Party | null)[], any: string): Option[] {
  const names = new Map<string, string>();
  for (const party of parties) if (party) names.set(party.id, displayName(party));
  const options = [...names].map(([value, label]) => ({ value, label }));
  return [{ value: '', label: any }, ...options.sort((a, b) => a.label.localeCompare(b.label))];
}

/** Sets the order; sorting by distance first requests the position and is dropped without one. */
function useChooseSort(setSort: (sort: PackageSort) => void) {
  const locate = useSetAtom(locateAtom);
  const [isLocating, setIsLocating] = useState(false);
  const choose = async (sort: PackageSort) => {
    setSort(sort);
    if (sort !== 'near') return;
    setIsLocating(true);
    const { located, position } = await locate();
    setIsLocating(false);
    if (position) return;
    setSort('');
    showError(located === 'denied' ? words.list.denied : words.list.unavailable);
  };
  return { isLocating, choose: (sort: PackageSort) => void choose(sort) };
}

const peopleFilters = [
  { name: 'sender', label: words.list.sender, any: words.list.anySender, id: 'senderId' },
  { name: 'courier', label: words.list.courier, any: words.list.anyCourier, id: 'employeeId' },
] as const;

interface ArrangementProps extends Pick<ListToolsProps, 'tab' | 'choice'> {
  views: readonly PackageView[];
}

function Arrangement({ tab, choice, views }: ArrangementProps) {
  const { sort, filters } = choice.current;
  const { choose, isLocating } = useChooseSort(choice.setSort);
  const statuses = statusChoices(tab, choice.reader);
  const sorts = sortChoices(tab, choice.reader).map((value) => ({
    value,
    label: words.list.sorts[value || defaultSort(tab, choice.reader)],
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
            ...statuses.map((value) => ({
              value,
              label: choiceLabel(value),
            })),
          ]}
          onChange={(status) => choice.setFilter({ status })}
        />
      )}
      {tab === 'all' &&
        peopleFilters.map(({ name, label, any, id }) => (
          <SelectField
            key={name}
            label={label}
            name={name}
            value={filters[id]}
            choices={people(
              views.map((view) => view[name]),
              any,
            )}
            onChange={(value) => choice.setFilter({ [id]: value })}
          />
        ))}
    </>
  );
}
