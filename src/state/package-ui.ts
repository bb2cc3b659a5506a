/** State shared by package screens. */
import { atom } from 'jotai';
import { forgettable, typedKeys } from './forgettable.ts';
import { isLike, storedAtom } from './safe-storage.ts';

export interface PackageFilters {
  status: string;
  senderId: string;
  employeeId: string;
}

export const noFilters: PackageFilters = { status: '', senderId: '', employeeId: '' };

/** The package last accepted or viewed; the next list containing it scrolls to it. */
export const selectedPackageAtom = forgettable(atom(''), '');
/** The package last created here: marked in the list one lands on, until another is opened. */
export const createdPackageAtom = forgettable(atom(''), '');
/** The package last deleted: Back must not lead to it. '': none. */
export const removedPackageAtom = atom('');
export const packageFiltersAtom = forgettable(atom<PackageFilters>(noFilters), noFilters);

export const packageSearchAtom = forgettable(atom(''), '');
/** Shows a new package: clears search and filters that would hide it. */
export const showCreatedAtom = atom(null, (_, set, id: string) => {
  set(createdPackageAtom, id);
  set(selectedPackageAtom, id);
  set(packageSearchAtom, '');
  set(packageFiltersAtom, noFilters);
});
/** '': the tab's default order. */
export const packageSorts = ['', 'newest', 'near', 'pickup', 'offer'] as const;
export type PackageSort = (typeof packageSorts)[number];
/** Outlives the page, as the last tabs do. */
export const packageSortAtom = forgettable(
  storedAtom(typedKeys.packageSort, '', (stored): stored is PackageSort =>
    packageSorts.some((sort) => sort === stored),
  ),
  '',
);

/** Whether a list shows how it is arranged; null: only if something is chosen. */
export const areToolsOpenAtom = atom<boolean | null>(null);

/** The address last seen under '/tracking' and '/delivery', where their bottom tabs lead. */
export const lastTabsAtom = forgettable(
  storedAtom(typedKeys.lastTabs, {}, (stored): stored is Readonly<Record<string, string>> =>
    isLike(stored, { '/tracking': '', '/delivery': '' }),
  ),
  {},
);

interface Filtered {
  status: string;
  sender: { id: string };
  courier: { id: string } | null;
}

/** Empty filters match everything; statuses compare case-insensitively. */
export function passes(filters: PackageFilters, pkg: Filtered): boolean {
  return (
    (filters.status === '' || filters.status.toLowerCase() === pkg.status.toLowerCase()) &&
    (filters.senderId === '' || filters.senderId === pkg.sender.id) &&
    (filters.employeeId === '' || filters.employeeId === pkg.courier?.id)
  );
}
