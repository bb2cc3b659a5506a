/** The map, when it is asked for: its 250 kB are loaded by the tap. */
import { hasWebGl } from '#features/map/web-gl.ts';
import type { PlaceMap } from './map.ts';
import type { Place } from './page.ts';
import type { Words } from './words.ts';

export interface MapButton {
  /** Null: the courier's place is not shared now. */
  show(place: Place | null): void;
}

/** Null where the page has no place for a map. */
export function mapButton(words: Words): MapButton | null {
  const button = document.querySelector<HTMLButtonElement>('#show-map');
  const host = document.querySelector<HTMLElement>('#map');
  if (!button || !host) return null;
  let place: Place | null = null;
  let map: PlaceMap | null = null;
  let isLoading = false;

  const say = (text: string) => {
    host.textContent = text;
    host.hidden = false;
  };
  const end = () => {
    map?.remove();
    map = null;
  };
  const fail = (text: string) => {
    end();
    say(text);
    button.hidden = place === null;
  };

  const open = async () => {
    if (!hasWebGl()) return fail(words.mapUnable);
    say(words.mapLoading);
    try {
      const { openMap } = await import('./map.ts');
      if (!place) return;
      host.textContent = '';
      const opened = await openMap({ host, place, words, onFail: fail });
      if (!opened || !place) return opened?.remove();
      map = opened;
      map.move(place);
      button.hidden = true;
    } catch {
      fail(words.mapFailed);
    }
  };

  host.setAttribute('role', 'status');
  button.addEventListener('click', () => {
    if (isLoading) return;
    isLoading = true;
    void open().finally(() => {
      isLoading = false;
    });
  });

  return {
    show(found) {
      place = found;
      if (found) {
        map?.move(found);
        button.hidden = map !== null;
        return;
      }
      end();
      button.hidden = true;
      host.hidden = true;
      host.textContent = '';
    },
  };
}
