/** Photos and signature of a delivery, for those who may see them. */

import { ImageOff, X } from 'lucide-react';
import { useState } from 'react';
import { useObjectUrl, useProofPicture } from '#data/use-proofs.ts';
import type { ProofKind, ProofPicture } from '#domain/proof-picture.ts';
import { proof as words } from '#messages/en/proof.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { PanelDialog } from '#ui/dialog.tsx';
import layout from '#ui/stack.module.css';
import css from './proof-pictures.module.css';

interface ProofPicturesProps {
  packageId: string;
  photoIds: readonly string[];
  signatureId: string | null;
}

/** Small pictures in a row; each opens. Nothing without any. */
export function ProofPictures({ packageId, photoIds, signatureId }: ProofPicturesProps) {
  const pictures = [
    ...photoIds.map((id, at) => ({ id, kind: 'photo', label: words.photo(at + 1) }) as const),
    ...(signatureId === null
      ? []
      : [{ id: signatureId, kind: 'signature', label: words.signature } as const]),
  ];
  if (pictures.length === 0) return null;
  return (
    <ul className={layout.row} aria-label={words.pictures}>
      {pictures.map(({ id, ...what }) => (
        <li key={id}>
          <SentPicture packageId={packageId} proofId={id} {...what} />
        </li>
      ))}
    </ul>
  );
}

const tileClass = `${layout.tile} ${layout.note} ${css.tile}`;

interface SentPictureProps {
  packageId: string;
  proofId: string;
  kind: ProofKind;
  label: string;
}

function SentPicture({ packageId, proofId, kind, label }: SentPictureProps) {
  const { found, again } = useProofPicture(packageId, proofId);
  const url = useObjectUrl(typeof found === 'object' ? found.blob : null);
  const [isOpen, setIsOpen] = useState(false);
  if (found === 'missing') {
    return (
      <button
        type="button"
        className={tileClass}
        onClick={again}
        aria-label={words.tryAgain(label)}
      >
        <ImageOff aria-hidden size={22} />
        {words.notHere}
      </button>
    );
  }
  if (!url) return <span className={tileClass} role="img" aria-label={words.loading(label)} />;
  return (
    <>
      <button
        type="button"
        className={tileClass}
        data-kind={kind}
        onClick={() => setIsOpen(true)}
        aria-label={words.open(label)}
      >
        <img src={url} alt="" />
      </button>
      {isOpen && (
        <PanelDialog title={label} onClose={() => setIsOpen(false)}>
          <img className={css.whole} src={url} alt={label} />
          <Button tone="quiet" isWide onClick={() => setIsOpen(false)}>
            {words.close}
          </Button>
        </PanelDialog>
      )}
    </>
  );
}

interface DraftPictureProps {
  picture: Pick<ProofPicture, 'bytes' | 'kind' | 'type'>;
  label: string;
  onRemove(): void;
}

/** Taken and not yet sent: it can be removed. */
export function DraftPicture({ picture, label, onRemove }: DraftPictureProps) {
  const [blob] = useState(() => new Blob([picture.bytes], { type: picture.type }));
  const url = useObjectUrl(blob);
  return (
    <li className={css.draft}>
      <span className={tileClass} data-kind={picture.kind}>
        {url && <img src={url} alt={label} />}
      </span>
      <span className={css.remove}>
        <IconButton
          label={words.remove(label)}
          icon={<X aria-hidden size={20} />}
          onClick={onRemove}
        />
      </span>
    </li>
  );
}
