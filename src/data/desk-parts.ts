/** Parts beside a screen in wide windows, by context: phones do not download them. */
import { type ComponentType, createContext, useContext } from 'react';
import type { PackageView } from '#domain/overlay.ts';
import type { PackageForm } from '#domain/package-fields.ts';

export interface FormSummaryProps {
  form: PackageForm;
  /** Opens a step of the wizard: place and time, recipient, product. */
  onEdit?: ((step: number) => void) | undefined;
}

export interface DeskParts {
  /** The map, with the places of the package. */
  MapCard: ComponentType<{ view: PackageView }>;
  /** The package as it is typed so far. */
  FormSummary: ComponentType<FormSummaryProps>;
}

export const DeskPartsContext = createContext<DeskParts | null>(null);

/** Null on a phone. */
export const useDeskParts = (): DeskParts | null => useContext(DeskPartsContext);
