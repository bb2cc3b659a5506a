/**
 * The map, when it is asked for: its 250 kB are loaded by the tap. Its place comes and goes with the
 * courier.
 */
import { hasWebGl } from '#features/map/web-gl.ts';
import type { PlaceMap } from './map.ts';
import type { Place } from './page.ts';
import type { Words } from './words.ts';

export interface MapButton {
  /** Null: the courier's place is not shared now. */
  show(place: Place | null): void;
}

export function mapButton(words: Words): MapButton {
  let place: Place | null = null;
  let map: PlaceMap | null = null;
  /** The element of the loaded or loading map. */
  let host: HTMLElement | null = null;
  /** Identifies the tap whose map is loading. */
  let loading: symbol | null = null;

  const buttonOf = () => document.querySelector<HTMLButtonElement>('#show-map');
  const say = (text: string) => {
    if (!host) return;
    host.setAttribute('role', 'status');
    host.textContent = text;
    host.hidden = false;
  };
  const end = () => {
    map?.remove();
    map = null;
  };
  const settle = () => {
    const button = buttonOf();
    if (button) button.hidden = place === null || map !== null;
  };
  const fail = (text: string) => {
    end();
    say(text);
    settle();
  };

  const open = async (own: HTMLElement, tap: symbol) => {
    // The courier's place may go, and come again.
    const isOff = () => loading !== tap || !own.isConnected;
    host = own;
    if (!hasWebGl()) return fail(words.mapUnable);
    say(words.mapLoading);
    try {
      const { openMap } = await import('./map.ts');
      if (isOff() || !place) return;
      own.textContent = '';
      own.removeAttribute('role');
      const opened = await openMap({ host: own, place, words, onFail: fail });
      if (!opened || isOff() || !place) return opened?.remove();
      map = opened;
      map.move(place);
      settle();
    } catch {
      if (!isOff()) fail(words.mapFailed);
    }
  };

  document.addEventListener('click', ({ target }) => {
    const own = document.querySelector<HTMLElement>('#map');
    if (loading || !own || target !== buttonOf()) return;
    const tap = Symbol('tap');
    loading = tap;
    void open(own, tap).finally(() => {
      if (loading === tap) loading = null;
    });
  });

  return {
    show(found) {
      place = found;
      if (host && (!found || !host.isConnected)) {
        end();
        loading = null;
        host.hidden = true;
        host.textContent = '';
        host = null;
      }
      if (found) map?.move(found);
      settle();
    },
  };
}
