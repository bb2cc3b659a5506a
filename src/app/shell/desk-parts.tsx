/** What a desk has beside a screen: the map in a card, and a form's package as it is so far. */
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { createPortal } from 'react-dom';
import type { DeskParts } from '#data/desk-parts.ts';
import { hasPin } from '#features/map/components/package-markers.tsx';
import { PackageSummary } from '#features/packages/components/package-summary.tsx';
import { hasMapAtom, mapSlotAtom } from '#state/map.ts';
import { broadMedia, useMedia } from '#ui/use-media.ts';

const MapCard: DeskParts['MapCard'] = ({ view }) => {
  const hasMap = useAtomValue(hasMapAtom);
  const isBroad = useMedia(broadMedia);
  const setSlot = useSetAtom(mapSlotAtom);
  return hasMap && isBroad && hasPin(view) && <div ref={setSlot} className="desk-map" />;
};

/** The pane beside a form. */
export const asideAtom = atom<HTMLElement | null>(null);

const FormSummary: DeskParts['FormSummary'] = (props) => {
  const aside = useAtomValue(asideAtom);
  return aside && createPortal(<PackageSummary {...props} />, aside);
};

export const deskParts: DeskParts = { MapCard, FormSummary };
