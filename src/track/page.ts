/** The parts of the recipient's page that change (server/modules/tracking). */
import { morph, morphChildren } from './morph.ts';

interface Policy {
  createHTML(html: string): string;
}
interface Factory {
  createPolicy(name: string, rules: Policy): Policy;
}

/** For a parsed document, whose scripts never run; its nodes come from this page's server. */
const policy = (globalThis as { trustedTypes?: Factory }).trustedTypes?.createPolicy('tracking', {
  createHTML: (html) => html,
});

export const parsePage = (html: string): Document =>
  new DOMParser().parseFromString(policy?.createHTML(html) ?? html, 'text/html');

export interface Place {
  /** Degrees, to 100 m. */
  lat: number;
  lng: number;
}

export interface TrackingPage {
  main: HTMLElement;
  eventsUrl: string;
  /** The courier's place; null: not shared now. */
  place(): Place | null;
  state(): { phase: string; canNote: boolean };
  /** Shows HTML from the stream: the content of `main`. */
  showInside(html: string): void;
  /** Shows a response from the page's own address. False: it is another page. */
  showPage(document: Document): boolean;
}

/** Null if this is not the page. */
export function trackingPage(): TrackingPage | null {
  const main = document.querySelector<HTMLElement>('#tracking');
  const eventsUrl = main?.dataset.events;
  if (!main || !eventsUrl) return null;

  const stateData = () => main.querySelector<HTMLElement>('#state')?.dataset ?? {};

  const change = (work: () => void) => {
    const focused = main.contains(document.activeElement) ? document.activeElement : null;
    work();
    if (focused && !focused.isConnected) {
      main.tabIndex = -1;
      main.focus({ preventScroll: true });
    }
  };

  return {
    main,
    eventsUrl,
    place() {
      const { lat = '', lng = '' } = stateData();
      return lat === '' || lng === '' ? null : { lat: Number(lat), lng: Number(lng) };
    },
    state() {
      const { phase = '', canNote } = stateData();
      return { phase, canNote: canNote === 'true' };
    },
    showInside: (html) => change(() => morphChildren(main, parsePage(html).body)),
    showPage(fresh) {
      const found = fresh.querySelector('#tracking');
      if (!found) return false;
      change(() => morph(main, found));
      return true;
    },
  };
}
