import { Camera, Images } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { maxPhotos } from '#contract/event.ts';
import { newId } from '#data/new-id.ts';
import { useSignedIn } from '#data/services.ts';
import { useKeepPicture, usePicturesInMaking } from '#data/use-proofs.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import { proofOf, shrinkPhoto } from '#features/delivery/pictures.ts';
import { fields } from '#messages/en/fields.ts';
import { proof as words } from '#messages/en/proof.ts';
import { DraftPicture } from '#package-ui/proof-pictures.tsx';
import { buttonClass } from '#ui/button.tsx';
import { RadioGroup } from '#ui/radio-choice.tsx';
import layout from '#ui/stack.module.css';
import { showError } from '#ui/toast.tsx';
import css from './proof.module.css';

interface PhotoFieldProps {
  packageId: string;
  pictures: readonly ProofPicture[];
  error: string | undefined;
  isOptional: boolean;
}

type Fault = 'unreadable' | 'full' | 'notSaved';

/** Camera or file. A photo is shown as taken only once this phone has stored it. */
export function PhotoField({ packageId, pictures, error, isOptional }: PhotoFieldProps) {
  const { engine } = useSignedIn();
  const keep = useKeepPicture();
  const { making, make } = usePicturesInMaking(packageId);
  const [came, setCame] = useState<'taken' | Fault | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const photos = pictures.filter(({ kind }) => kind === 'photo');
  const isSaving = making.some(({ what }) => what === 'photo');
  const state = isSaving ? 'saving' : came;
  const isFault = state !== null && state !== 'saving' && state !== 'taken';

  const fail = (fault: Fault) => {
    setCame(fault);
    // The sheet has been closed.
    if (box.current === null) showError(words.photos[fault]);
    return false;
  };
  const take = async (file: File) => {
    const blob = await shrinkPhoto(file).catch(() => null);
    if (!blob) return fail('unreadable');
    const about = { id: newId(), packageId, kind: 'photo' } as const;
    const kept = await proofOf(blob, about).then(keep, () => 'failed' as const);
    if (kept !== 'kept') return fail(kept === 'full' ? 'full' : 'notSaved');
    setCame('taken');
    return true;
  };
  const remove = (id: string) => {
    setCame(null);
    return engine.removeProof(id).then(
      () => true,
      () => fail('notSaved'),
    );
  };

  return (
    <RadioGroup
      legend={isOptional ? fields.isOptional(words.photos.title) : words.photos.title}
      name="photo"
      error={photos.length > 0 ? undefined : error}
    >
      <div className={`${layout.row} ${css.photos}`} ref={box}>
        {photos.length > 0 && (
          <ul className={css.pictures}>
            {photos.map((picture, at) => (
              <DraftPicture
                key={picture.id}
                picture={picture}
                label={words.photo(at + 1)}
                onRemove={() => void make('removal', remove(picture.id))}
              />
            ))}
          </ul>
        )}
        {photos.length < maxPhotos && (
          <div
            className={`${layout.grid} ${css.sources}`}
            data-more={photos.length > 0 || undefined}
          >
            <Source
              label={photos.length > 0 ? words.photos.another : words.photos.take}
              icon={<Camera aria-hidden size={26} />}
              isCamera
              isBusy={isSaving}
              onFile={(file) => void make('photo', take(file))}
            />
            <Source
              label={words.photos.choose}
              icon={<Images aria-hidden size={26} />}
              isBusy={isSaving}
              onFile={(file) => void make('photo', take(file))}
            />
          </div>
        )}
      </div>
      {(state || photos.length === 0) && (
        <p className={isFault ? css.wrong : layout.note} role={isFault ? 'alert' : 'status'}>
          {state ? words.photos[state] : words.photos.hint}
        </p>
      )}
    </RadioGroup>
  );
}

interface SourceProps {
  label: string;
  icon: ReactNode;
  isCamera?: boolean;
  isBusy: boolean;
  onFile(file: File): void;
}

function Source({ label, icon, isCamera = false, isBusy, onFile }: SourceProps) {
  return (
    <label className={`${buttonClass('quiet')} ${css.take}`}>
      {icon}
      {label}
      <input
        type="file"
        name="photo"
        accept="image/*"
        capture={isCamera ? 'environment' : undefined}
        disabled={isBusy}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) onFile(file);
          // The same picture may be chosen again after it was removed.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
