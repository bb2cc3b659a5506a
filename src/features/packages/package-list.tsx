import { useAtomValue } from 'jotai';
import { DatabaseZap, PackageSearch } from 'lucide-react';
import type { PackageView } from '#domain/overlay.ts';
import { useActor } from '#live/use-actor.ts';
import { useIsStorageSilent } from '#live/use-packages.ts';
import { useOwnUser } from '#live/use-users.ts';
import { selectedPackageAtom } from '#state/package-ui.ts';
import { Notice, Skeletons } from '#ui/card.tsx';
import { VirtualList } from '#ui/virtual-list.tsx';
import { PackageCard } from './package-card.tsx';
import { words } from './words.ts';

/** A card with two lines of description. */
const cardPx = 320;

const idOf = ({ id }: PackageView) => id;

interface PackageListProps {
  /** Undefined while the phone's own database is read. */
  views: readonly PackageView[] | undefined;
  emptyText: string;
}

export function PackageList({ views, emptyText }: PackageListProps) {
  // The package that was accepted or looked at last.
  const selected = useAtomValue(selectedPackageAtom);
  const actor = useActor();
  const self = useOwnUser() ?? undefined;
  const isSilent = useIsStorageSilent();
  if (views === undefined && isSilent) {
    return <Notice icon={<DatabaseZap aria-hidden size={40} />} text={words.storageSilent} />;
  }
  if (views === undefined) return <Skeletons label={words.loading} />;
  if (views.length === 0) {
    return <Notice icon={<PackageSearch aria-hidden size={40} />} text={emptyText} />;
  }
  return (
    <VirtualList
      items={views}
      keyOf={idOf}
      estimatePx={cardPx}
      soughtKey={selected || undefined}
      render={(view) => <PackageCard view={view} actor={actor} self={self} />}
    />
  );
}
