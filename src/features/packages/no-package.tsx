import { useAtomValue } from 'jotai';
import { PackageX } from 'lucide-react';
import { Navigate } from 'react-router-dom';
import { removedPackageAtom } from '#state/package-ui.ts';
import { Notice } from '#ui/card.tsx';
import { words } from './words.ts';

/** Where there is no package to show. Back to one that was just deleted leads to the list instead. */
export function NoPackage({ id }: { id: string }) {
  const removed = useAtomValue(removedPackageAtom);
  if (removed === id) return <Navigate to="/tracking" replace />;
  return <Notice icon={<PackageX aria-hidden size={40} />} text={words.noData} />;
}
