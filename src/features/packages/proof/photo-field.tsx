import { Camera, Images } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { maxPhotos } from '#contract/event.ts';
import { newId } from '#data/new-id.ts';
import { useSignedIn } from '#data/services.ts';
import { useKeepPicture } from '#data/use-proofs.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import { DraftPicture } from '#features/packages/components/proof-pictures.tsx';
import { fields } from '#messages/en/fields.ts';
import { proof as words } from '#messages/en/proof.ts';
import { buttonClass } from '#ui/button.tsx';
import { RadioGroup } from '#ui/radio-choice.tsx';
import layout from '#ui/stack.module.css';
import { proofOf, shrinkPhoto } from './pictures.ts';
import css from './proof.module.css';

interface PhotoFieldProps {
  packageId: string;
  pictures: readonly ProofPicture[];
  error: string | undefined;
  isOptional: boolean;
}

/** Camera or file. A photo is shown as taken only once this phone has stored it. */
export function PhotoField({ packageId, pictures, error, isOptional }: PhotoFieldProps) {
  const { engine } = useSignedIn();
  const keep = useKeepPicture();
  const [state, setState] = useState<
    'saving' | 'taken' | 'unreadable' | 'full' | 'notSaved' | null
  >(null);
  const photos = pictures.filter(({ kind }) => kind === 'photo');
  const isFault = state === 'unreadable' || state === 'full' || state === 'notSaved';

  const take = async (file: File) => {
    setState('saving');
    const blob = await shrinkPhoto(file).catch(() => null);
    if (!blob) return setState('unreadable');
    const about = { id: newId(), packageId, kind: 'photo' } as const;
    const kept = await proofOf(blob, about).then(keep, () => 'failed' as const);
    setState(kept === 'kept' ? 'taken' : kept === 'full' ? 'full' : 'notSaved');
  };
  const remove = (id: string) => {
    setState(null);
    void engine.removeProof(id).catch(() => setState('notSaved'));
  };

  return (
    <RadioGroup
      legend={isOptional ? fields.isOptional(words.photos.title) : words.photos.title}
      name="photo"
      error={photos.length > 0 ? undefined : error}
    >
      <div className={css.photos}>
        {photos.length > 0 && (
          <ul className={css.pictures}>
            {photos.map((picture, at) => (
              <DraftPicture
                key={picture.id}
                picture={picture}
                label={words.photo(at + 1)}
                onRemove={() => remove(picture.id)}
              />
            ))}
          </ul>
        )}
        {photos.length < maxPhotos && (
          <div className={css.sources} data-more={photos.length > 0 || undefined}>
            <Source
              label={photos.length > 0 ? words.photos.another : words.photos.take}
              icon={<Camera aria-hidden size={26} />}
              isCamera
              isBusy={state === 'saving'}
              onFile={take}
            />
            <Source
              label={words.photos.choose}
              icon={<Images aria-hidden size={26} />}
              isBusy={state === 'saving'}
              onFile={take}
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
