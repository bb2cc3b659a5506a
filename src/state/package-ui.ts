/** What the package screens remember between them. */
import { atom } from 'jotai';

export interface PackageFilters {
  status: string;
  senderId: string;
  employeeId: string;
}

export const noFilters: PackageFilters = { status: '', senderId: '', employeeId: '' };

/** The id of the package that was accepted or looked at last; the next list with it scrolls to it. */
export const selectedPackageAtom = atom('');
/** The id of the package that was deleted last: the way back does not lead to it. Empty: none. */
export const removedPackageAtom = atom('');
export const packageFiltersAtom = atom<PackageFilters>(noFilters);

/** What is looked for in the lists; it stays while one moves about. */
export const packageSearchAtom = atom('');
/** '': the order of the tab. */
export const packageSorts = ['', 'newest', 'near', 'pickup', 'offer'] as const;
export type PackageSort = (typeof packageSorts)[number];
export const packageSortAtom = atom<PackageSort>('');

interface Filtered {
  status: string;
  sender: { id: string };
  courier: { id: string } | null;
}

/** An empty filter lets everything through; statuses compare without regard to case. */
export function passes(filters: PackageFilters, pkg: Filtered): boolean {
  return (
    (filters.status === '' || filters.status.toLowerCase() === pkg.status.toLowerCase()) &&
    (filters.senderId === '' || filters.senderId === pkg.sender.id) &&
    (filters.employeeId === '' || filters.employeeId === pkg.courier?.id)
  );
}
