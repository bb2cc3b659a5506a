/** What only a wide window has beside a screen, by context: phones do not download it. */
import { type ComponentType, createContext, useContext } from 'react';
import type { PackageView } from '#domain/overlay.ts';
import type { PackageForm } from '#domain/package-form.ts';

export interface DeskParts {
  /** The map, with the places of the package. */
  MapCard: ComponentType<{ view: PackageView }>;
  /** The package as it is typed so far. */
  FormSummary: ComponentType<{ form: PackageForm }>;
}

export const DeskPartsContext = createContext<DeskParts | null>(null);

/** Null on a phone. */
export const useDeskParts = (): DeskParts | null => useContext(DeskPartsContext);
