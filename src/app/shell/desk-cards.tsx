/** Parts beside a desk's screen: the map in a card, and a summary of the form's package. */
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { createPortal } from 'react-dom';
import type { DeskParts } from '#data/desk-parts.ts';
import { hasPin, PackageMarkers } from '#features/map/components/package-markers.tsx';
import { useOpenMap } from '#features/map/use-open-map.ts';
import { PackageSummary } from '#features/package-form/components/package-summary.tsx';
import { hasMapAtom, mapSlotAtom } from '#state/map.ts';
import { adoptStyles } from '#ui/adopt-styles.ts';
import { broadMedia, useMedia } from '#ui/use-media.ts';
import styles from './desk-cards.css?inline';

adoptStyles(styles);

const MapCard: DeskParts['MapCard'] = ({ view }) => {
  const isBroad = useMedia(broadMedia);
  return isBroad && hasPin(view) && <MapSlot id={view.id} />;
};

/** Asks for the map itself: no list may have shown it before. */
function MapSlot({ id }: { id: string }) {
  const hasMap = useAtomValue(hasMapAtom);
  const setSlot = useSetAtom(mapSlotAtom);
  useOpenMap(true);
  return (
    <>
      {hasMap && <div ref={setSlot} className="detail-map" />}
      <PackageMarkers selected={id} />
    </>
  );
}

/** The pane beside a form. */
export const asideAtom = atom<HTMLElement | null>(null);

const FormSummary: DeskParts['FormSummary'] = (props) => {
  const aside = useAtomValue(asideAtom);
  return aside && createPortal(<PackageSummary {...props} />, aside);
};

export const deskParts: DeskParts = { MapCard, FormSummary };
