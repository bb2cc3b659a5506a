/** Picks a package's location on the map or by coordinates. */

import { useAtomValue, useSetAtom } from 'jotai';
import { Check, History, LocateFixed } from 'lucide-react';
import { useRef, useState } from 'react';
import * as v from 'valibot';
import { type Location, locationSchema } from '#contract/fields.ts';
import type { LocationPickerProps, RecentPlace } from '#data/location-picker.ts';
import { distanceText } from '#domain/distance.ts';
import { isSameValue, typedLocation } from '#domain/location.ts';
import { places as words } from '#messages/en/places.ts';
import { locateAtom, positionAtom } from '#state/position.ts';
import { Button } from '#ui/button.tsx';
import { SheetActions, SheetDialog } from '#ui/dialog.tsx';
import { Form, TextField } from '#ui/field.tsx';
import menu from '#ui/menu.module.css';
import layout from '#ui/stack.module.css';
import css from './background-map.module.css';
import { PinMap } from './pin-map.tsx';

interface Typed {
  lat: string;
  lng: string;
}

const typedOf = (location: Location | null): Typed => ({
  lat: location ? String(location.lat) : '',
  lng: location ? String(location.lng) : '',
});

/** Two numbers with point or comma, or a pair in either field; null: no valid location. */
export function locationOf({ lat, lng }: Typed): Location | null {
  const isAlone = lat.trim() === '' || lng.trim() === '';
  const text = isAlone ? lat + lng : `${lat.replace(',', '.')} ${lng.replace(',', '.')}`;
  const checked = v.safeParse(locationSchema, typedLocation(text));
  return checked.success ? checked.output : null;
}

/** A location counts only once confirmed, however it was set. */
export function LocationPicker(props: LocationPickerProps) {
  const { label, kind, value, near, recent, onPick, onClear, onClose } = props;
  const [typed, setTyped] = useState(() => typedOf(value));
  return (
    <SheetDialog name={`place ${kind}`} title={label} closeLabel={words.close} onClose={onClose}>
      <div className={layout.stack}>
        <PinMap
          label={label}
          kind={kind}
          value={locationOf(typed)}
          onChange={(location) => setTyped(typedOf(location))}
          near={near}
        />
        <LocationFields
          typed={typed}
          onType={setTyped}
          recent={recent}
          onPick={onPick}
          onClear={value ? onClear : undefined}
        />
      </div>
    </SheetDialog>
  );
}

interface LocationFieldsProps extends Pick<LocationPickerProps, 'recent' | 'onPick'> {
  typed: Typed;
  onType(typed: Typed): void;
  /** Absent if there is nothing to remove. */
  onClear?: (() => void) | undefined;
}

/**
 * Without a map: the phone's position, a place used before, or coordinates, for those who have a
 * pair from a map app.
 */
function LocationFields(props: LocationFieldsProps) {
  const [chosen, setChosen] = useState<RecentPlace | null>(null);
  const [isByDegrees, setIsByDegrees] = useState(false);
  const { typed, onType, recent, onPick, onClear } = props;
  const [hasFailed, setFailed] = useState(false);
  const { note, isBusy, locate } = useOwnPlace(typed, (place) => onType(typedOf(place)));
  const location = locationOf(typed);
  // Two places may have one pin: the address tells them apart, until something else is typed.
  const pickedAddress = isSameValue(chosen?.location, location) ? chosen?.label : undefined;
  const isEmpty = typed.lat === '' && typed.lng === '';
  const isMissing = hasFailed && !location;
  const complaints: Record<string, string> = isMissing && !isEmpty ? { lat: words.wrong } : {};
  const type = (field: keyof Typed) => (text: string) => {
    // A pasted pair is complete; a typed one is not until its last digit.
    const isPasted = text.length > typed[field].length + 1;
    const pair = isPasted ? typedLocation(text) : null;
    onType(pair ? typedOf(pair) : { ...typed, [field]: text });
  };
  const submit = () => {
    setFailed(location === null);
    if (location) onPick(location, pickedAddress);
  };
  return (
    <Form
      onSubmit={submit}
      errors={complaints}
      message={isMissing && isEmpty ? words.none : undefined}
      actions={
        <SheetActions>
          <Button type="submit">{words.set}</Button>
        </SheetActions>
      }
    >
      <p className={layout.soft}>{words.why}</p>
      {/* One form item, so that an empty note takes no space. */}
      <div>
        <Button tone={location ? 'quiet' : 'soft'} isWide isBusy={isBusy} onClick={locate}>
          <LocateFixed aria-hidden size={20} />
          {isBusy ? words.finding : words.useMine}
        </Button>
        <p role="status" className={layout.soft}>
          {note}
        </p>
      </div>
      {recent.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in.
        <div className={menu.menu} data-card role="group" aria-label={words.recent}>
          {recent.map(({ label, location: place }) => {
            const isChosen = isSameValue(place, location) && (pickedAddress ?? label) === label;
            const Icon = isChosen ? Check : History;
            return (
              <button
                key={label}
                type="button"
                aria-pressed={isChosen}
                className={menu.row}
                onClick={() => {
                  setChosen({ label, location: place });
                  onType(typedOf(place));
                }}
              >
                <Icon aria-hidden size={20} />
                <span className={menu.label}>{label}</span>
              </button>
            );
          })}
        </div>
      )}
      {onClear && (
        <div className={css.remove}>
          <Button tone="plain" onClick={onClear}>
            {words.clear}
          </Button>
        </div>
      )}
      <details
        open={isByDegrees || complaints.lat !== undefined}
        onToggle={(event) => setIsByDegrees(event.currentTarget.open)}
      >
        <summary className={css.degrees}>{words.degrees}</summary>
        <div className={`${layout.stack} ${css.pair}`}>
          <TextField
            label={words.latitude}
            name="lat"
            inputMode="text"
            autoComplete="off"
            value={typed.lat}
            onChange={type('lat')}
            error={complaints.lat}
            hint={words.hint}
          />
          <TextField
            label={words.longitude}
            name="lng"
            inputMode="text"
            autoComplete="off"
            value={typed.lng}
            onChange={type('lng')}
            error={complaints.lng}
          />
        </div>
      </details>
    </Form>
  );
}

/** The phone's position on request; `note` tells its accuracy or the failure. */
function useOwnPlace(typed: Typed, onFound: (place: Location) => void) {
  const latest = useRef(typed);
  latest.current = typed;
  const position = useAtomValue(positionAtom);
  const find = useSetAtom(locateAtom);
  const [failure, setFailure] = useState('');
  const [isAsked, setIsAsked] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const locate = async () => {
    setIsBusy(true);
    const { located, position: found } = await find();
    setIsBusy(false);
    // Another place was chosen in the meantime.
    if (latest.current !== typed) return;
    setIsAsked(located === 'located');
    setFailure(located === 'located' ? '' : words[located]);
    if (found) onFound(v.parse(locationSchema, { lat: found.lat, lng: found.lng }));
  };
  const within = isAsked && position ? words.within(distanceText(position.accuracyMeters)) : '';
  return { note: failure || within, isBusy, locate: () => void locate() };
}
