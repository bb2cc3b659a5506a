import { lazy } from 'react';
import { Outlet } from 'react-router-dom';
import { LocationPickerContext } from '#data/location-picker.ts';
import { later } from './deferred.tsx';

const BehindTheScreens = later(
  async () => (await import('#app/background/background-tasks.tsx')).BehindTheScreens,
);
const PlacePicker = lazy(async () => ({
  default: (await import('./place-picker.tsx')).PlacePicker,
}));

/** Around every screen behind the guard. */
export function Inside() {
  return (
    <LocationPickerContext value={PlacePicker}>
      <Outlet />
      <BehindTheScreens />
    </LocationPickerContext>
  );
}
