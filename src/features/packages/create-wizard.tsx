import { PackageCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { checkNewPackage, checkWizardStep, wizardSteps } from '#domain/package-form.ts';
import { pickupComplaint } from '#domain/pickup-date.ts';
import { isProfileComplete } from '#domain/user.ts';
import type { FieldMessages } from '#domain/validation.ts';
import type { OperationOf } from '#live/use-refused.ts';
import { useOwnUser } from '#live/use-users.ts';
import { Button } from '#ui/button.tsx';
import { Notice, Skeletons } from '#ui/card.tsx';
import { Form } from '#ui/field.tsx';
import layout from '#ui/stack.module.css';
import { useFocusWhenLost } from '#ui/use-focus-when-lost.ts';
import css from './create-wizard.module.css';
import { usePinPicking } from './location-field.tsx';
import { PackageField } from './package-form-fields.tsx';
import { ProfileIncompleteCard } from './profile-incomplete-card.tsx';
import { type Draft, stepOf, useDraft, useRefusedDraft } from './use-draft.ts';
import { useSaying } from './use-package-actions.ts';
import { words } from './words.ts';

interface CreateWizardProps {
  /** The package is durable on this device. */
  onCreated(): void;
  /** The refused creation that is mended here. */
  refused?: OperationOf<'createPackage'>;
}

/** Four steps to a package; the Profile Incomplete card stands in its place where need be. */
export function CreateWizard({ onCreated, refused }: CreateWizardProps) {
  const self = useOwnUser();
  // Until the app leads on to the list: an empty first step would look like nothing had happened.
  const [isDone, setIsDone] = useState(false);
  const notice = useFocusWhenLost(isDone);
  if (!self) return <Skeletons label={words.loading} count={1} />;
  if (!isProfileComplete(self)) return <ProfileIncompleteCard userId={self.id} />;
  if (isDone) {
    return (
      <div ref={notice} tabIndex={-1}>
        <Notice icon={<PackageCheck aria-hidden size={40} />} text={words.create.saved} />
      </div>
    );
  }
  const finish = () => {
    setIsDone(true);
    onCreated();
  };
  const props = { userId: self.id, onCreated: finish };
  return refused ? <RefusedSteps {...props} refused={refused} /> : <NewSteps {...props} />;
}

interface StepsProps {
  userId: string;
  onCreated(): void;
}

function NewSteps(props: StepsProps) {
  return <Steps {...props} draft={useDraft(props.userId)} refused={null} />;
}

function RefusedSteps(props: StepsProps & { refused: OperationOf<'createPackage'> }) {
  return <Steps {...props} draft={useRefusedDraft(props.refused)} />;
}

interface StepsOfProps extends StepsProps {
  draft: Draft;
  refused: OperationOf<'createPackage'> | null;
}

function Steps({ userId, onCreated, draft, refused }: StepsOfProps) {
  const { step, form, setForm, setStep, claimId, clear } = draft;
  const [errors, setErrors] = useState<FieldMessages>(refused?.lastError?.fields ?? {});
  const [message, setMessage] = useState(refused?.lastError?.message);
  const [isBusy, setIsBusy] = useState(false);
  const say = useSaying();
  const heading = useRef<HTMLHeadingElement>(null);
  const pins = usePinPicking(form, setForm);
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
    const passed = pickupComplaint(form.pickupDate, Date.now());
    if (!checked.isValid || passed.pickupDate) {
      const [fields, sentence] = checked.isValid
        ? [passed, passed.pickupDate]
        : [checked.fields, checked.message];
      // The complaint may be about an earlier step: go where it can be mended.
      setStep(stepOf(fields));
      complain(fields, sentence);
      return;
    }
    setIsBusy(true);
    const id = claimId();
    const args = { ...checked.value, _id: id, senderId: userId };
    const intent = { name: 'createPackage', targetId: id, args } as const;
    const isSaved = await say(intent, refused?.id);
    setIsBusy(false);
    if (!isSaved) return;
    clear();
    onCreated();
  };

  const submit = () => {
    if (isBusy) return;
    const checked = checkWizardStep(step, form);
    const isDated = wizardSteps[step]?.fields.some((name) => name === 'pickupDate');
    const passed = isDated ? pickupComplaint(form.pickupDate, Date.now()) : {};
    if (!checked.isValid) complain(checked.fields, checked.message);
    else if (passed.pickupDate) complain(passed, passed.pickupDate);
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
          <PackageField
            key={name}
            name={name}
            form={form}
            errors={errors}
            onChange={setForm}
            onPickPlace={pins.pick}
          />
        ))}
      </Form>
      {pins.dialog}
    </div>
  );
}
