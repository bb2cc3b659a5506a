import '#contract/phone-countries.ts';
import { useAtom } from 'jotai';
import { CloudOff, PackageCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useDeskParts } from '#data/desk-parts.ts';
import { useSubmitIntent } from '#data/submit-intent.ts';
import { useActor } from '#data/use-actor.ts';
import { useRefresh, useSyncStatus } from '#data/use-connection.ts';
import { serverNow } from '#data/use-now.ts';
import { useTerms } from '#data/use-terms.ts';
import { useOwnUser } from '#data/use-users.ts';
import { showPhone } from '#domain/contact-links.ts';
import { fromLocalInput } from '#domain/dates.ts';
import { depositFor } from '#domain/deposit.ts';
import { formatNaira, koboToNaira, nairaToKobo } from '#domain/money.ts';
import type { OperationOf } from '#domain/operation.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type PackageForm, packageFields } from '#domain/package-fields.ts';
import {
  checkNewPackage,
  checkWizardStep,
  pickupComplaint,
  typedKobo,
  wizardSteps,
} from '#domain/package-form.ts';
import { isProfileComplete } from '#domain/user.ts';
import {
  type Draft,
  stepOf,
  useDraft,
  useRefusedDraft,
} from '#features/package-form/hooks/use-draft.ts';
import { withTypedPlaces } from '#features/package-form/typed-places.ts';
import { packagePayment } from '#messages/en/package-payment.ts';
import { packages as words } from '#messages/en/packages.ts';
import { wizard as wizardWords } from '#messages/en/wizard.ts';
import { descriptionOf } from '#package-ui/description.ts';
import { ProfileIncompleteCard } from '#package-ui/notices.tsx';
import { Stops } from '#package-ui/stops.tsx';
import { againPath, newPath } from '#package-ui/wizard-path.ts';
import { expandedToMid, sheetAtom } from '#state/sheet.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { Card, Notice, RetryNotice, Skeletons } from '#ui/card.tsx';
import { Form } from '#ui/field.tsx';
import { useFocusOn } from '#ui/focus-guard.ts';
import { ActionBar } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import * as toasts from '#ui/toast.tsx';
import { type Complaint, useForm } from '#ui/use-form.ts';
import { useMedia } from '#ui/use-media.ts';
import css from './create-wizard.module.css';
import {
  type MethodNotes,
  PackageField,
  ReturnNote,
  usePinPicking,
} from './package-form-fields.tsx';
import { Suggestions } from './suggestions.tsx';

interface CreateWizardProps {
  /** Called once the package is durable on this device and not refused so far. */
  onCreated(packageId: string): void;
  refused?: OperationOf<'createPackage'> | undefined;
  /** The package to send again. */
  earlier?: PackageView | undefined;
}

export function CreateWizard({ onCreated, refused, earlier }: CreateWizardProps) {
  const self = useOwnUser();
  // Stays true until the list opens: an empty first step would look as if nothing had happened.
  const [isDone, setIsDone] = useState(false);
  const { role } = useActor();
  const [corrected, setCorrected] = useState(refused);
  const notice = useFocusOn(isDone, { isRescue: true });
  if (!self) return <NoProfile />;
  if (!isProfileComplete(self)) return <ProfileIncompleteCard user={self} />;
  if (isDone) {
    return (
      <div ref={notice} tabIndex={-1}>
        <Notice
          icon={<PackageCheck aria-hidden size={40} />}
          title={role === 'Employee' ? words.create.savedByCourier : words.create.saved}
        />
      </div>
    );
  }
  const finish = (packageId: string) => {
    setIsDone(true);
    onCreated(packageId);
  };
  return (
    <Steps
      key={corrected?.id}
      userId={self.id}
      refused={corrected ?? null}
      earlier={earlier}
      // A creation refused in this wizard was submitted from its last step.
      openStep={corrected === refused ? 0 : wizardSteps.length - 1}
      onCreated={finish}
      onRefused={setCorrected}
    />
  );
}

type Creation = OperationOf<'createPackage'>;

function NoProfile() {
  const { lastFailure } = useSyncStatus();
  const { isBusy, refresh } = useRefresh(() => undefined);
  if (lastFailure === null) return <Skeletons label={words.loading} count={1} />;
  return (
    <RetryNotice
      icon={<CloudOff aria-hidden size={40} />}
      title={words.create.noProfile}
      text={words.checkConnection}
      label={words.retry}
      isBusy={isBusy}
      onRetry={refresh}
    />
  );
}

/** From this width on the summary is beside the form (ui/desk/detail.css). */
const asideMedia = '(min-width: 1200px)';

interface StepsProps {
  userId: string;
  refused: Creation | null;
  earlier: PackageView | undefined;
  /** The step to open for a refused creation that has no error at a field. */
  openStep: number;
  onCreated(packageId: string): void;
  /** The server refused it while the form was waiting for the answer. */
  onRefused(refused: Creation): void;
}

function Steps(props: StepsProps) {
  const { userId, refused, earlier, openStep, onCreated, onRefused } = props;
  const fresh = useDraft(userId, earlier);
  const terms = useTerms();
  const draft: Draft = useRefusedDraft(refused, openStep) ?? fresh;
  const { step, setForm, setStep, claimId, clear } = draft;
  // Sends the default that the form shows as chosen.
  const values = { ...draft.form, handover: draft.form.handover || terms.handover };
  const submitIntent = useSubmitIntent(toasts);
  const heading = useFocusOn<HTMLHeadingElement>(true, { isRescue: true });
  const fields = wizardSteps[step]?.fields ?? [];
  const isLast = step === wizardSteps.length - 1;

  const create = async (): Promise<Complaint | null> => {
    const checked = checkNewPackage(values);
    const passed = pickupComplaint(values.pickupDate, serverNow());
    if (!checked.isValid || passed.pickupDate) {
      const complaint = checked.isValid
        ? { fields: passed, message: passed.pickupDate }
        : { fields: checked.fields, message: checked.message };
      // The error may belong to an earlier step.
      setStep(stepOf(complaint.fields));
      return complaint;
    }
    const id = claimId();
    const args = { ...checked.value, _id: id, senderId: userId };
    const intent = { name: 'createPackage', targetId: id, args } as const;
    const sending = await submitIntent(intent, refused?.id);
    if (!sending) return {};
    const { kind, operation } = await sending.answer;
    // The operation holds the form's values from here on.
    clear(id);
    const isGone = heading.current === null;
    if (isGone) return null;
    if (kind === 'refused') onRefused(operation as Creation);
    else onCreated(id);
    return null;
  };

  const form = useForm({
    values,
    onChange: (next) => setForm(withTypedPlaces(values, next)),
    complaint: refused?.lastError ?? {},
    submit: async () => {
      const checked = checkWizardStep(step, values);
      if (!checked.isValid) return checked;
      const passed = fields.some((name) => name === 'pickupDate')
        ? pickupComplaint(values.pickupDate, serverNow())
        : {};
      if (passed.pickupDate) return { fields: passed, message: passed.pickupDate };
      if (isLast) return create();
      goTo(step + 1);
      return {};
    },
  });

  const { notes, missingKobo } = useBalance(values);
  const [sheet, setSheet] = useAtom(sheetAtom);
  const FormSummary = useDeskParts()?.FormSummary;
  const isWide = useMedia(asideMedia);
  const hasAside = FormSummary !== undefined && isWide;
  const fill = (fills: Partial<PackageForm>) => {
    form.complain({});
    setForm({ ...values, ...fills });
  };
  const pins = usePinPicking(values, fill);

  const goTo = (next: number) => {
    form.complain({});
    setStep(next);
    // The steps share one heading; its text has changed by the time it is read out.
    heading.current?.focus();
  };

  return (
    <div className={layout.stack}>
      <div>
        <p className={layout.note}>{words.create.stepOf(step + 1)}</p>
        <h2 className={css.title} ref={heading} tabIndex={-1}>
          {words.create.steps[step]}
        </h2>
        {earlier && !refused && (
          <p className={layout.soft}>
            {wizardWords.again(earlier.packageId || earlier.description)}
          </p>
        )}
        <div
          className={css.progress}
          style={{ backgroundSize: `${((step + 1) / words.create.steps.length) * 100}% 100%` }}
        />
      </div>
      <Form
        {...form.props}
        label={words.create.steps[step] ?? words.create.title}
        actions={
          <ActionBar key={step} rests>
            {step > 0 && (
              <Button tone="quiet" onClick={() => goTo(step - 1)}>
                {words.create.previous}
              </Button>
            )}
            <Button type="submit" isBusy={form.isBusy} tone={isLast ? 'accent' : 'primary'}>
              {isLast ? (form.isBusy ? words.create.busy : words.create.submit) : words.create.next}
            </Button>
          </ActionBar>
        }
      >
        {fields.map((name) => {
          const suggestions = <Suggestions name={name} form={values} onFill={fill} />;
          // A time is chosen more easily than typed.
          const areFirst = packageFields[name].kind === 'date';
          return (
            <div key={name} className={`${layout.tight} ${css.field}`}>
              {areFirst && suggestions}
              <PackageField {...form.field(name)} methodNotes={notes} onPickPlace={pins.pick} />
              {!areFirst && suggestions}
              {name === 'paymentMethod' && values[name] === 'app' && missingKobo > 0 && (
                <div className={`${layout.box} ${layout.warn} ${css.short}`}>
                  <p>{wizardWords.short(formatNaira(missingKobo))}</p>
                  {!refused && (
                    <Link
                      className={buttonClass('quiet')}
                      to={`/deposit?${new URLSearchParams({
                        amount: String(depositFor(koboToNaira(missingKobo))),
                        package: earlier ? againPath(earlier.id) : newPath,
                      })}`}
                      replace={sheet.isFullScreen}
                      onClick={() => setSheet(expandedToMid(sheet))}
                    >
                      {packagePayment.addFunds}
                    </Link>
                  )}
                </div>
              )}
            </div>
          );
        })}
        {isLast && <ReturnNote form={values} feePercent={terms.returnFeePercent} />}
        {isLast && !hasAside && <Review form={values} onEdit={goTo} />}
      </Form>
      {pins.dialog}
      {FormSummary && <FormSummary form={values} onEdit={isLast ? goTo : undefined} />}
    </div>
  );
}

/** Whether the balance is enough for the price typed so far. */
function useBalance(form: PackageForm): { notes: MethodNotes; missingKobo: number } {
  const balance = useOwnUser()?.balance ?? null;
  if (balance === null) return { notes: { cash: wizardWords.cashNote }, missingKobo: 0 };
  const balanceKobo = nairaToKobo(balance);
  const missingKobo = typedKobo(form.priceOffer) - balanceKobo;
  const app = wizardWords.balance(formatNaira(balanceKobo));
  return { notes: { cash: wizardWords.cashNote, app }, missingKobo };
}

interface ReviewProps {
  form: PackageForm;
  onEdit(step: number): void;
}

/** Reviews the new package; each part links back to its step. */
function Review({ form, onEdit }: ReviewProps) {
  const pickupDate = fromLocalInput(form.pickupDate);
  const deliveryDate = fromLocalInput(form.deliveryDate) || null;
  const plan = { ...form, status: 'pending', pickupDate, deliveryDate } as const;
  const parts = [
    { name: wizardWords.where, content: <Stops view={plan} /> },
    { name: wizardWords.who, content: `${form.recipientName} · ${showPhone(form.recipientPhone)}` },
    { name: wizardWords.what, content: descriptionOf(form).join('\n') },
  ];
  return (
    <Card title={wizardWords.review}>
      {parts.map(({ name, content }, step) => (
        <div key={name} className={`${layout.spread} ${css.part}`}>
          <div className={css.said} dir="auto">
            {content}
          </div>
          <Button tone="plain" aria-label={wizardWords.edit(name)} onClick={() => onEdit(step)}>
            {wizardWords.editShort}
          </Button>
        </div>
      ))}
    </Card>
  );
}
