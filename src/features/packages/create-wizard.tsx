import { useAtom } from 'jotai';
import { PackageCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { isProfileComplete } from '#domain/user.ts';
import {
  checkNewPackage,
  checkWizardStep,
  type FieldMessages,
  type PackageForm,
  wizardSteps,
} from '#domain/validation.ts';
import { newId } from '#live/new-id.ts';
import { usePackageView } from '#live/use-packages.ts';
import { useOwnUser } from '#live/use-users.ts';
import { emptyDraft, emptyPackageForm, packageDraftAtom } from '#state/package-draft.ts';
import { Button } from '#ui/button.tsx';
import { Notice, Skeletons } from '#ui/card.tsx';
import { Form } from '#ui/field.tsx';
import layout from '#ui/stack.module.css';
import css from './create-wizard.module.css';
import { PackageField } from './package-form-fields.tsx';
import { ProfileIncompleteCard } from './profile-incomplete-card.tsx';
import { useSaying } from './use-package-actions.ts';
import { words } from './words.ts';

/**
 * The draft of whoever is signed in; somebody else's reads as empty. So does one whose package is
 * there already: the app was killed after the save and before the draft's end, and a second press
 * would be a second package (DESIGN.md section 5, guarantee 2).
 */
function useDraft(userId: string) {
  const [stored, setStored] = useAtom(packageDraftAtom);
  const [askedId, setAskedId] = useState('');
  const saved = usePackageView(stored.packageId ?? '');
  const isSpent = Boolean(saved) && stored.packageId !== askedId;
  const draft = stored.userId === userId && !isSpent ? stored : { ...emptyDraft, userId };
  return {
    /** The package's id, the same for every press; in storage before it is used. */
    claimId: () => {
      const packageId = draft.packageId || newId();
      setAskedId(packageId);
      setStored({ ...draft, packageId });
      return packageId;
    },
    step: Math.min(Math.max(draft.step, 0), wizardSteps.length - 1),
    form: { ...emptyPackageForm, ...draft.form },
    setForm: (form: PackageForm) => setStored({ ...draft, form }),
    setStep: (step: number) => setStored({ ...draft, step }),
    clear: () => setStored(emptyDraft),
  };
}

interface CreateWizardProps {
  /** The package is durable on this device. */
  onCreated(): void;
}

/** Four steps to a package; the Profile Incomplete card stands in its place where need be. */
export function CreateWizard({ onCreated }: CreateWizardProps) {
  const self = useOwnUser();
  // Until the app leads on to the list: an empty first step would look like nothing had happened.
  const [isDone, setIsDone] = useState(false);
  if (!self) return <Skeletons label={words.loading} count={1} />;
  if (!isProfileComplete(self)) return <ProfileIncompleteCard userId={self.id} />;
  if (isDone) {
    return <Notice icon={<PackageCheck aria-hidden size={40} />} text={words.create.saved} />;
  }
  const finish = () => {
    setIsDone(true);
    onCreated();
  };
  return <Steps userId={self.id} onCreated={finish} />;
}

function Steps({ userId, onCreated }: CreateWizardProps & { userId: string }) {
  const { step, form, setForm, setStep, claimId, clear } = useDraft(userId);
  const [errors, setErrors] = useState<FieldMessages>({});
  const [message, setMessage] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const say = useSaying();
  const heading = useRef<HTMLHeadingElement>(null);
  const isLast = step === wizardSteps.length - 1;

  const complain = (fields: FieldMessages, sentence: string | undefined) => {
    setErrors(fields);
    setMessage(sentence);
  };

  const goTo = (next: number) => {
    complain({}, undefined);
    setStep(next);
    // It stands on every step; what it says is new by the time it is read out.
    heading.current?.focus();
  };

  const create = async () => {
    const checked = checkNewPackage(form);
    if (!checked.isValid) {
      // The complaint may be about an earlier step: go where it can be mended.
      const at = wizardSteps.findIndex(({ fields }) =>
        fields.some((name) => name in checked.fields),
      );
      if (at >= 0) setStep(at);
      complain(checked.fields, checked.message);
      return;
    }
    setIsBusy(true);
    const id = claimId();
    const args = { ...checked.value, _id: id, senderId: userId };
    const isSaved = await say({ name: 'createPackage', targetId: id, args });
    setIsBusy(false);
    if (!isSaved) return;
    clear();
    onCreated();
  };

  const submit = () => {
    if (isBusy) return;
    const checked = checkWizardStep(step, form);
    if (!checked.isValid) complain(checked.fields, checked.message);
    else if (isLast) void create();
    else goTo(step + 1);
  };

  return (
    <div className={layout.stack}>
      <div>
        <p className={css.step}>{words.create.stepOf(step + 1)}</p>
        <h2 ref={heading} tabIndex={-1}>
          {words.create.steps[step]}
        </h2>
        <progress className={css.progress} max={4} value={step + 1} aria-hidden />
      </div>
      <Form
        onSubmit={submit}
        errors={errors}
        message={message}
        label={words.create.steps[step] ?? words.create.title}
        actions={
          <div className={layout.actions}>
            {step > 0 && (
              <Button tone="quiet" onClick={() => goTo(step - 1)}>
                {words.create.previous}
              </Button>
            )}
            <Button type="submit" isBusy={isBusy} tone={isLast ? 'accent' : 'primary'}>
              {isLast ? (isBusy ? words.create.busy : words.create.submit) : words.create.next}
            </Button>
          </div>
        }
      >
        {wizardSteps[step]?.fields.map((name) => (
          <PackageField key={name} name={name} form={form} errors={errors} onChange={setForm} />
        ))}
      </Form>
    </div>
  );
}
