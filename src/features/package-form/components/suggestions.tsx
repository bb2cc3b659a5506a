/** Buttons below a field of the wizard that fill it in. */
import { Contact } from 'lucide-react';
import { type MouseEvent, useMemo } from 'react';
import { useActor } from '#data/use-actor.ts';
import { useNow } from '#data/use-now.ts';
import { usePackageViews } from '#data/use-packages.ts';
import type { PackageForm } from '#domain/package-fields.ts';
import {
  recentPeople,
  recentPlaces,
  recentPrices,
  type Suggestion,
  timeSuggestions,
} from '#features/package-form/suggestion-rules.ts';
import { wizard as words } from '#messages/en/wizard.ts';
import { Button } from '#ui/button.tsx';
import layout from '#ui/stack.module.css';
import css from './create-wizard.module.css';

/** The user's own packages, as the source of suggestions. */
export function useSent() {
  const { id } = useActor();
  const views = usePackageViews();
  return useMemo(() => views?.filter(({ sender }) => sender.id === id) ?? [], [views, id]);
}

interface SuggestionsProps {
  name: keyof PackageForm;
  form: PackageForm;
  onFill(fills: Partial<PackageForm>): void;
}

export function Suggestions({ name, form, onFill }: SuggestionsProps) {
  const sent = useSent();
  const nowMs = useNow();
  const of: Partial<Record<keyof PackageForm, [label: string, () => Suggestion[]]>> = {
    pickupAddress: [words.places, () => recentPlaces(sent, 'pickup', form)],
    deliveryAddress: [words.places, () => recentPlaces(sent, 'delivery', form)],
    recipientName: [words.people, () => recentPeople(sent, form)],
    priceOffer: [words.prices, () => recentPrices(sent, form)],
    pickupDate: [words.times, () => timeSuggestions('pickupDate', form, nowMs, words.now)],
    deliveryDate: [words.times, () => timeSuggestions('deliveryDate', form, nowMs, words.now)],
  };
  const [label = '', suggest] = of[name] ?? [];
  const suggested = suggest?.() ?? [];
  const contacts = name === 'recipientName' ? contactPicker() : null;
  if (suggested.length === 0 && !contacts) return null;
  const pick = (
    { detail, currentTarget }: MouseEvent<HTMLButtonElement>,
    fills: Suggestion['fills'],
  ) => {
    onFill(fills);
    // The pressed suggestion disappears: a keyboard user continues in the field.
    const field = currentTarget.form?.elements.namedItem(name);
    if (detail === 0 && field instanceof HTMLElement) field.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset around buttons alone reads as a form.
    <div className={css.suggestions} role="group" aria-label={label}>
      {name === 'priceOffer' && <span className={layout.note}>{label}:</span>}
      {contacts && (
        <Button
          tone="quiet"
          onClick={() => void contacts().then((found) => found && onFill(found))}
        >
          <Contact aria-hidden size={20} />
          {words.contacts}
        </Button>
      )}
      {suggested.map(({ label: text, note, fills }) => (
        <Button key={`${text} ${note}`} tone="quiet" onClick={(event) => pick(event, fills)}>
          <span className={css.suggestion}>
            <span className={layout.clamped} dir="auto">
              {text}
            </span>
            {note && (
              <span className={`${layout.note} ${layout.clamped}`} dir="auto">
                {note}
              </span>
            )}
          </span>
        </Button>
      ))}
    </div>
  );
}

/** https://www.w3.org/TR/contact-picker/; in Chrome on Android. */
interface ContactsManager {
  select(properties: ['name', 'tel']): Promise<{ name?: string[]; tel?: string[] }[]>;
}

/** Asks the phone for one contact; null: this browser cannot. */
function contactPicker(): (() => Promise<Partial<PackageForm> | null>) | null {
  const { contacts } = navigator as Navigator & { contacts?: ContactsManager };
  if (!contacts?.select) return null;
  return async () => {
    // Rejects if the picker is open already.
    const [chosen] = await contacts.select(['name', 'tel']).catch(() => []);
    if (!chosen) return null;
    const [name = ''] = chosen.name ?? [];
    const [phone = ''] = chosen.tel ?? [];
    return { ...(name && { recipientName: name }), ...(phone && { recipientPhone: phone }) };
  };
}
