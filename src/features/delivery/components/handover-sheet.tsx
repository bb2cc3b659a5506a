/**
 * At the door: the code, or who took it and a photo, and the cash, in one step. Everything is kept
 * as it is entered; a phone may end the page while its camera is open.
 */

import { CameraOff, CircleCheck, ScanLine } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Proof } from '#contract/event.ts';
import { useDraftProofs, usePicturesInMaking, useReadDraftProofs } from '#data/use-proofs.ts';
import { codeDigits, isCode } from '#domain/codes.ts';
import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { displayName } from '#domain/user.ts';
import {
  codeComplaint,
  missingOf,
  type Needs,
  proofGiven,
} from '#features/delivery/handover-rules.ts';
import { isRightToken, tokenOf } from '#features/delivery/scanned-code.ts';
import { deliverySteps as steps } from '#messages/en/delivery-steps.ts';
import { packageDetail } from '#messages/en/package-detail.ts';
import { packages } from '#messages/en/packages.ts';
import { proof as words } from '#messages/en/proof.ts';
import { CallLink, contactAt } from '#package-ui/contact-buttons.tsx';
import type { useDeliveryDraft } from '#package-ui/use-delivery-draft.ts';
import type { DeliveryDraft } from '#state/delivery-draft.ts';
import { Button } from '#ui/button.tsx';
import { SheetActions, SheetDialog } from '#ui/dialog.tsx';
import { Form, Submit, TextField } from '#ui/field.tsx';
import { useFocusOn } from '#ui/focus-guard.ts';
import { FormPart, useFormPart } from '#ui/form-parts.ts';
import { ChipChoice, Chips, RadioGroup } from '#ui/radio-choice.tsx';
import layout from '#ui/stack.module.css';
import { type Complaint, useForm } from '#ui/use-form.ts';
import { PhotoField } from './photo-field.tsx';
import css from './proof.module.css';
import { type ScanEnd, Scanner } from './scanner.tsx';
import { SignatureField } from './signature-field.tsx';
import { WhoFields } from './who-fields.tsx';

export interface Handover {
  proof: Proof;
  isCashCollected: boolean;
}

interface HandoverSheetProps extends Needs {
  view: PackageView;
  isBusy: boolean;
  /** Resolves with false where it was not saved: everything stays. */
  onHandOver(handover: Handover): Promise<boolean>;
  draft: ReturnType<typeof useDeliveryDraft>;
}

export function HandoverSheet(props: HandoverSheetProps) {
  const { view, handover, isCashDue, isBusy, onHandOver } = props;
  const { draft, change, clear, close } = props.draft;
  const pictures = useDraftProofs(view.id) ?? [];
  const { finish } = usePicturesInMaking(view.id);
  const readPictures = useReadDraftProofs(view.id);
  const isReturn = handover === 'return';
  const isByCode = isReturn || (handover === 'code' && draft.way !== 'photo');
  const person = isReturn ? displayName(view.sender) : view.recipientName;

  const form = useForm({
    values: draft,
    onChange: change,
    submit: async (): Promise<Complaint | null> => {
      const needs = { handover, isCashDue };
      const all = await readPictures().catch(() => pictures);
      const missing = missingOf(draft, all, needs);
      if (Object.keys(missing).length > 0) return { fields: missing };
      const proof = proofGiven(draft, all, needs);
      if (!(await onHandOver({ proof, isCashCollected: draft.isCashCollected === true })))
        return {};
      clear();
      return null;
    },
  });
  const { errors } = form;

  return (
    <SheetDialog
      name={`handover ${view.id}`}
      title={isReturn ? words.returnTo(person) : words.deliverTo(person)}
      closeLabel={words.close}
      onClose={close}
    >
      <Form
        label={packages.detail.deliver}
        {...form.props}
        actions={
          <SheetActions>
            <Submit
              tone="accent"
              isWide
              isBusy={form.isBusy || isBusy}
              words={{
                save: isReturn ? steps.finishReturn : packages.detail.deliver,
                busy: steps.attempt.busy,
              }}
            />
          </SheetActions>
        }
      >
        {/* Also those begun before the sheet was closed, or before the code was found. */}
        <FormPart finish={finish} />
        {isCashDue && <CashField view={view} draft={draft} change={change} error={errors.cash} />}
        {isByCode ? (
          <CodeField
            view={view}
            person={person}
            isReturn={isReturn}
            draft={draft}
            change={change}
            error={errors.code}
          />
        ) : (
          <>
            <PhotoField
              packageId={view.id}
              pictures={pictures}
              error={errors.photo}
              isOptional={handover === 'none'}
            />
            <WhoFields
              recipient={view.recipientName}
              draft={draft}
              change={change}
              errors={errors}
              isOptional={handover === 'none'}
            />
            <SignatureField packageId={view.id} pictures={pictures} />
            {handover === 'code' && (
              <Button tone="plain" onClick={() => change({ way: '' })}>
                {words.code.have}
              </Button>
            )}
          </>
        )}
      </Form>
    </SheetDialog>
  );
}

interface PartProps {
  view: PackageView;
  draft: DeliveryDraft;
  change(changes: Partial<DeliveryDraft>): void;
  error: string | undefined;
}

function CashField({ view, draft, change, error }: PartProps) {
  const { cash } = packageDetail;
  return (
    <div className={css.cash}>
      <RadioGroup legend={cash.collect(formatNaira(view.priceOfferKobo))} name="cash" error={error}>
        <Chips>
          {[true, false].map((isCashCollected) => (
            <ChipChoice
              key={String(isCashCollected)}
              name="cash"
              label={isCashCollected ? cash.collected : cash.notCollected}
              isChosen={draft.isCashCollected === isCashCollected}
              onChoose={() => change({ isCashCollected })}
            />
          ))}
        </Chips>
      </RadioGroup>
    </div>
  );
}

function CodeField(props: PartProps & { person: string; isReturn: boolean }) {
  const { view, person, isReturn, draft, change, error } = props;
  const [scan, setScan] = useState<'on' | ScanEnd | null>(null);
  // Without a camera, or after leaving it, the courier types the code.
  const input = useFocusOn(scan !== 'on' && scan, { inside: 'input' });
  const isWhole = isCode(draft.code);
  useEffect(() => {
    // Closes the phone's keyboard, which covers the next step.
    if (isWhole && document.activeElement instanceof HTMLInputElement) {
      if (input.current?.contains(document.activeElement)) document.activeElement.blur();
    }
  }, [isWhole, input]);

  const comparing = useRef<Promise<boolean>>(null);
  useFormPart(() => comparing.current);
  const compare = async (text: string) => {
    const token = tokenOf(text);
    const hash = view.dropoffTokenHash;
    if (token === null || (hash !== null && !(await isRightToken(token, hash)))) return false;
    change({ qr: token, code: '' });
    setScan(null);
    return true;
  };
  const scanned = (text: string) => {
    comparing.current = compare(text).finally(() => {
      comparing.current = null;
    });
    return comparing.current;
  };

  if (draft.qr !== '') {
    return (
      <div className={layout.stack}>
        <p className={`${layout.box} ${layout.good}`} role="status">
          <CircleCheck aria-hidden size={24} />
          {words.scan.right}
        </p>
        <Button tone="plain" onClick={() => change({ qr: '' })}>
          {words.scan.again}
        </Button>
      </div>
    );
  }
  if (scan === 'on') return <Scanner onText={scanned} onClose={setScan} error={error} />;
  const fault = scan === 'typing' ? null : scan;
  const { code } = words;
  const wrong = codeComplaint(draft.code);
  return (
    <div className={`${layout.stack} ${css.code}`} ref={input}>
      {fault && (
        <p className={`${layout.box} ${layout.bad}`} role="alert">
          <CameraOff aria-hidden size={24} />
          {words.scan[fault]}
        </p>
      )}
      <TextField
        label={isReturn ? code.returnLabel : code.label}
        name="code"
        value={draft.code}
        onChange={(value) => change({ code: value.replace(/\D/g, '').slice(0, codeDigits) })}
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder={'–'.repeat(codeDigits)}
        hint={
          <span role="status" className={isWhole ? `${layout.row} ${css.whole}` : undefined}>
            {isWhole && <CircleCheck aria-hidden size={20} />}
            {isWhole ? code.whole : isReturn ? code.askSender(person) : code.ask(person)}
          </span>
        }
        error={wrong ?? error}
        isLive={wrong !== undefined}
        isAlert
      />
      {isReturn ? (
        <CallLink {...contactAt(view, 'pickup')} />
      ) : (
        <>
          <Button tone={fault || isWhole ? 'plain' : 'soft'} isWide onClick={() => setScan('on')}>
            <ScanLine aria-hidden size={22} />
            {fault ? words.scan.retry : words.scan.start}
          </Button>
          <Button tone="plain" isWide onClick={() => change({ way: 'photo' })}>
            {code.none}
          </Button>
        </>
      )}
    </div>
  );
}
