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
import { type Complaint, useForm } from '#ui/use-form.ts';
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

function complaintOf({ lat, lng }: Typed): Complaint {
  if (lat === '' && lng === '') return { message: words.none };
  return { fields: { lat: hasUnread(lat + lng) ? words.unread : words.wrong } };
}

/** A location counts only once confirmed, however it was set. */
export function LocationPicker(props: LocationPickerProps) {
  const { label, kind, value, near, recent, onPick, onClear, onClose } = props;
  const [typed, setTyped] = useState(() => typedOf(value));
  const [chosen, setChosen] = useState<RecentPlace | null>(null);
  const location = locationOf(typed);
  // Two places may have one pin: the address tells them apart, until something else is typed.
  const pickedAddress = isSameValue(chosen?.location, location) ? chosen?.label : undefined;
  const form = useForm({
    values: typed,
    onChange: setTyped,
    submit: async () => {
      if (!location) return complaintOf(typed);
      onPick(location, pickedAddress);
      return null;
    },
  });
  const put = (place: Location) => {
    form.complain({});
    setTyped(typedOf(place));
  };
  return (
    <SheetDialog name={`place ${kind}`} title={label} closeLabel={words.close} onClose={onClose}>
      <div className={layout.stack}>
        <PinMap label={label} kind={kind} value={location} onChange={put} near={near} />
        <LocationFields
          form={form}
          typed={typed}
          onPut={put}
          location={location}
          pickedAddress={pickedAddress}
          recent={recent}
          onChoose={setChosen}
          onClear={value ? onClear : undefined}
        />
      </div>
    </SheetDialog>
  );
}

interface LocationFieldsProps extends Pick<LocationPickerProps, 'recent'> {
  form: ReturnType<typeof useForm<Typed>>;
  typed: Typed;
  /** Not typed: as a whole. */
  onPut(place: Location): void;
  /** As typed so far; null: not a location. */
  location: Location | null;
  pickedAddress: string | undefined;
  onChoose(place: RecentPlace): void;
  /** Absent if there is nothing to remove. */
  onClear?: (() => void) | undefined;
}

/**
 * Without a map: the phone's position, a place used before, or coordinates, for those who have a
 * pair from a map app.
 */
function LocationFields(props: LocationFieldsProps) {
  const [isByDegrees, setIsByDegrees] = useState(false);
  const { form, typed, onPut, location, pickedAddress, recent, onChoose, onClear } = props;
  const { note, isBusy, locate, finish } = useOwnPlace(typed, onPut);
  const field = (name: keyof Typed) => ({
    ...form.field(name),
    // A latitude may be wrong only beside its longitude.
    error: location ? undefined : form.errors[name],
    onChange: (text: string) => {
      // A pasted pair is complete; a typed one is not until its last digit.
      const place = isPasted(typed[name], text) ? locationOf({ lat: text, lng: '' }) : null;
      if (place) onPut(place);
      else form.field(name).onChange(text);
    },
  });
  return (
    <Form
      {...form.props}
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
        <div
          className={`${layout.surface} ${menu.menu}`}
          data-card
          role="group"
          aria-label={words.recent}
        >
          {recent.map(({ label, location: place }) => {
            const isChosen = isSameValue(place, location) && (pickedAddress ?? label) === label;
            const Icon = isChosen ? Check : History;
            return (
              <button
                key={label}
                type="button"
                aria-pressed={isChosen}
                className={`${layout.row} ${menu.row}`}
                onClick={() => {
                  onChoose({ label, location: place });
                  onPut(place);
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
        open={isByDegrees || (!location && form.errors.lat !== undefined)}
        onToggle={(event) => setIsByDegrees(event.currentTarget.open)}
      >
        <summary className={css.degrees}>{words.degrees}</summary>
        <div className={`${layout.stack} ${css.pair}`}>
          <TextField
            label={words.latitude}
            inputMode="text"
            autoComplete="off"
            {...field('lat')}
            hint={words.hint}
          />
          <TextField
            label={words.longitude}
            inputMode="text"
            autoComplete="off"
            {...field('lng')}
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
