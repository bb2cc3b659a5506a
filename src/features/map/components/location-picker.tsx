/** Picks a package's location on the map or by coordinates. */

import { useAtomValue, useSetAtom } from 'jotai';
import { Check, History, LocateFixed } from 'lucide-react';
import { useRef, useState } from 'react';
import * as v from 'valibot';
import { type Location, locationSchema } from '#contract/fields.ts';
import type { LocationPickerProps, RecentPlace } from '#data/location-picker.ts';
import { distanceText } from '#domain/distance.ts';
import { isAbroad, isSameValue, typedLocation } from '#domain/location.ts';
import { hasUnread, isPasted, readPlace } from '#domain/place-text.ts';
import { places as words } from '#messages/en/places.ts';
import { locateAtom, positionAtom } from '#state/position.ts';
import { Button } from '#ui/button.tsx';
import { SheetActions, SheetDialog } from '#ui/dialog.tsx';
import { Form, Submit, TextField } from '#ui/field.tsx';
import { FormPart } from '#ui/form-parts.ts';
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

/** Reads two numbers with point or comma, or a text (domain/place-text); null: no location. */
export function locationOf({ lat, lng }: Typed): Location | null {
  const isAlone = lat.trim() === '' || lng.trim() === '';
  const text = isAlone ? lat + lng : `${lat.replace(',', '.')} ${lng.replace(',', '.')}`;
  const checked = v.safeParse(locationSchema, typedLocation(text.replace(/[()[\]{}]/g, ' ')));
  if (checked.success) return checked.output;
  const place = readPlace(isAlone ? text : `${lat} ${lng}`);
  return place && (isAlone || place.words === '') ? place.location : null;
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
  const { note, isBusy, locate, finish } = useOwnPlace(typed, (place) => onType(typedOf(place)));
  const location = locationOf(typed);
  // Two places may have one pin: the address tells them apart, until something else is typed.
  const pickedAddress = isSameValue(chosen?.location, location) ? chosen?.label : undefined;
  const isEmpty = typed.lat === '' && typed.lng === '';
  const isMissing = hasFailed && !location;
  const wrong = hasUnread(typed.lat + typed.lng) ? words.unread : words.wrong;
  const complaints: Record<string, string> = isMissing && !isEmpty ? { lat: wrong } : {};
  const type = (field: keyof Typed) => (text: string) => {
    // A pasted pair is complete; a typed one is not until its last digit.
    const place = isPasted(typed[field], text) ? locationOf({ lat: text, lng: '' }) : null;
    onType(place ? typedOf(place) : { ...typed, [field]: text });
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
          <Submit words={{ save: words.set, busy: words.finding }} />
        </SheetActions>
      }
    >
      <FormPart finish={finish} />
      <p className={layout.soft}>{words.why}</p>
      {/* One form item, so that an empty note takes no space. */}
      <div>
        <Button tone={location ? 'quiet' : 'soft'} isWide isBusy={isBusy} onClick={locate}>
          <LocateFixed aria-hidden size={20} />
          {isBusy ? words.finding : words.useMine}
        </Button>
        <p role="status" className={layout.soft}>
          {note || (location && isAbroad(location) && words.abroad)}
        </p>
      </div>
      {recent.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls.
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
                <span className={menu.label} dir="auto">
                  {label}
                </span>
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
  const reading = useRef<{ typed: Typed; isFound: Promise<boolean> }>(null);
  const read = async () => {
    setIsBusy(true);
    const { located, position: found } = await find();
    reading.current = null;
    setIsBusy(false);
    // Another place was chosen in the meantime.
    if (latest.current !== typed) return true;
    setIsAsked(located === 'located');
    setFailure(located === 'located' ? '' : words[located]);
    if (found) onFound(v.parse(locationSchema, { lat: found.lat, lng: found.lng }));
    return found !== undefined;
  };
  const finish = () => {
    const { current } = reading;
    return current?.typed === latest.current ? current.isFound : null;
  };
  const locate = () => {
    reading.current = { typed, isFound: read() };
  };
  const within = isAsked && position ? words.within(distanceText(position.accuracyMeters)) : '';
  return { note: failure || within, isBusy, locate, finish };
}
