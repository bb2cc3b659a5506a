/** What a package's sender says of it: texts as typed, and the labels of its flags. Pure. */
import type { PackageField } from '#contract/package.ts';
import { describingFields } from '#domain/package-fields.ts';
import { fields } from '#messages/en/fields.ts';

type Described = Readonly<Partial<Record<PackageField, unknown>>>;

/** The describing fields of a package or form, in the form's order; no empty ones or unset flags. */
export function described(row: Described): { name: PackageField; text: string }[] {
  return describingFields.flatMap((name) => {
    const value = row[name];
    if (!value) return [];
    return [{ name, text: value === true ? fields.labels[name] : String(value) }];
  });
}

export const descriptionOf = (row: Described): string[] => described(row).map(({ text }) => text);
