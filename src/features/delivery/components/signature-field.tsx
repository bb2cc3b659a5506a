import { PenLine } from 'lucide-react';
import { useRef, useState } from 'react';
import { newId } from '#data/new-id.ts';
import { useSignedIn } from '#data/services.ts';
import { useKeepPicture, usePicturesInMaking } from '#data/use-proofs.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import { proofOf } from '#features/delivery/pictures.ts';
import { proof as words } from '#messages/en/proof.ts';
import { DraftPicture } from '#package-ui/proof-pictures.tsx';
import { Button } from '#ui/button.tsx';
import { useFormPart } from '#ui/form-parts.ts';
import { showError } from '#ui/toast.tsx';
import css from './proof.module.css';
import { type Pad, SignaturePad } from './signature-pad.tsx';

interface SignatureFieldProps {
  packageId: string;
  pictures: readonly ProofPicture[];
}

/** A drawing counts without closing the pad first. */
export function SignatureField({ packageId, pictures }: SignatureFieldProps) {
  const { engine } = useSignedIn();
  const keep = useKeepPicture();
  const { make } = usePicturesInMaking(packageId);
  const [isOpen, setIsOpen] = useState(false);
  const pad = useRef<Pad>(null);
  const kept = pictures.find(({ kind }) => kind === 'signature');

  const save = async (blob: Blob | null) => {
    if (!blob) return true;
    const about = { id: newId(), packageId, kind: 'signature' } as const;
    const picture = await proofOf(blob, about).catch(() => null);
    const result = picture ? await keep(picture) : 'failed';
    if (result === 'kept') return true;
    showError(result === 'full' ? words.photos.full : words.photos.notSaved);
    return false;
  };
  /** Stays open where there is no room for it: to clear it is to go without. */
  const close = async () => {
    const { current } = pad;
    const isSaved = await save((await current?.picture()) ?? null);
    if (isSaved) setIsOpen(false);
    else current?.putBack();
    return isSaved;
  };
  /** The app went out of sight, or the sheet was closed: it is lost as little as a photo. */
  const keepLeft = async (drawn: Blob) => {
    const isSaved = await save(drawn);
    if (!isSaved) pad.current?.putBack();
    return isSaved;
  };
  const remove = (id: string) =>
    engine.removeProof(id).then(
      () => true,
      () => {
        showError(words.photos.notSaved);
        return false;
      },
    );
  useFormPart(() => (pad.current ? make('signature', close()) : null));

  if (kept) {
    return (
      <ul className={css.pictures}>
        <DraftPicture
          picture={kept}
          label={words.signature}
          onRemove={() => void make('removal', remove(kept.id))}
        />
      </ul>
    );
  }
  if (isOpen)
    return <SignaturePad pad={pad} onLeft={(drawn) => void make('signature', keepLeft(drawn))} />;
  return (
    <Button tone="quiet" onClick={() => setIsOpen(true)}>
      <PenLine aria-hidden size={20} />
      {words.sign.add}
    </Button>
  );
}
