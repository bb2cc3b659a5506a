import { PenLine } from 'lucide-react';
import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { newId } from '#data/new-id.ts';
import { useSignedIn } from '#data/services.ts';
import { useKeepPicture } from '#data/use-proofs.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import { DraftPicture } from '#features/packages/components/proof-pictures.tsx';
import { proof as words } from '#messages/en/proof.ts';
import { Button } from '#ui/button.tsx';
import { showError } from '#ui/toast.tsx';
import { proofOf } from './pictures.ts';
import css from './proof.module.css';
import { type Pad, SignaturePad } from './signature-pad.tsx';

export interface SignatureHandle {
  /** What is drawn and not kept yet; null: nothing, or no room. */
  save(): Promise<ProofPicture | null>;
}

interface SignatureFieldProps {
  ref: Ref<SignatureHandle>;
  packageId: string;
  pictures: readonly ProofPicture[];
}

export function SignatureField({ ref, packageId, pictures }: SignatureFieldProps) {
  const { engine } = useSignedIn();
  const keep = useKeepPicture();
  const [isOpen, setIsOpen] = useState(false);
  const pad = useRef<Pad>(null);
  const kept = pictures.find(({ kind }) => kind === 'signature');

  const save = async (blob: Blob) => {
    const about = { id: newId(), packageId, kind: 'signature' } as const;
    const picture = await proofOf(blob, about).catch(() => null);
    const result = picture ? await keep(picture) : 'failed';
    if (result === 'kept') return picture;
    showError(result === 'full' ? words.photos.full : words.photos.notSaved);
    return null;
  };
  useImperativeHandle(ref, () => ({
    save: async () => {
      const drawn = (await pad.current?.picture()) ?? null;
      setIsOpen(false);
      return drawn && save(drawn);
    },
  }));

  if (kept) {
    return (
      <ul className={css.pictures}>
        <DraftPicture
          picture={kept}
          label={words.signature}
          onRemove={() => void engine.removeProof(kept.id).catch(() => undefined)}
        />
      </ul>
    );
  }
  // Closing the sheet loses it as little as a photo.
  if (isOpen) return <SignaturePad pad={pad} onLeft={(drawn) => void save(drawn)} />;
  return (
    <Button tone="quiet" onClick={() => setIsOpen(true)}>
      <PenLine aria-hidden size={20} />
      {words.sign.add}
    </Button>
  );
}
