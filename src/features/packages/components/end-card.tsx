/** After the end of a delivery or return: confirm it, report a problem, or settle one. */
import { useState } from 'react';
import { failureOf } from '#api/failure.ts';
import { type DisputeDecision, disputeDecisions } from '#contract/dispute.ts';
import { useSignedIn } from '#data/services.ts';
import { useActor } from '#data/use-actor.ts';
import { useKeyedCall } from '#data/use-keyed-call.ts';
import { useOperations } from '#data/use-outbox.ts';
import { whenText } from '#domain/dates.ts';
import { formatNaira } from '#domain/money.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import type { PackageView } from '#domain/overlay.ts';
import { can, factsOf } from '#domain/policy.ts';
import { primaryOf } from '#features/packages/detail-rules.ts';
import {
  disputeKindsOf,
  heldKoboOf,
  mayReport,
  reportableUntilMs,
} from '#features/packages/dispute-rules.ts';
import { useDeliveryDraft } from '#features/packages/hooks/use-delivery-draft.ts';
import type { usePackageActions } from '#features/packages/hooks/use-package-actions.ts';
import { disputes as words } from '#messages/en/disputes.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { SheetActions, SheetDialog } from '#ui/dialog.tsx';
import { Form, Submit, TextAreaField, TextField } from '#ui/field.tsx';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import layout from '#ui/stack.module.css';
import { showSuccess } from '#ui/toast.tsx';
import { type Complaint, useForm } from '#ui/use-form.ts';
import { useNow } from '#ui/use-now.ts';
import css from './detail.module.css';

interface Props {
  view: PackageView;
  actions: ReturnType<typeof usePackageActions>;
}

/** 'tomorrow 14:05', within a sentence; '' without a time. */
function whenWithin(iso: string | null, nowMs: number): string {
  const text = whenText(iso, nowMs) ?? '';
  return text.charAt(0).toLowerCase() + text.slice(1);
}

export function EndCard({ view, actions }: Props) {
  const actor = useActor();
  const { draft, change } = useDeliveryDraft(view.id);
  const nowMs = useNow();
  if (view.dispute) return <OpenDispute view={view} />;
  if (!mayReport(actor, view, nowMs)) return null;
  const isSender = view.sender.id === actor.id;
  const release = whenWithin(view.releaseAt, nowMs);
  const until = whenWithin(new Date(reportableUntilMs(view)).toISOString(), nowMs);
  const isAsked = primaryOf(actor, view) === 'confirm';
  return (
    <Card title={isAsked ? words.ended.title : words.ended.otherTitle}>
      <p>
        {release
          ? words.ended.held(release, isSender)
          : isAsked
            ? words.ended.delivered(until)
            : words.ended.other(until)}
      </p>
      <div className={layout.actions}>
        <Button tone="quiet" isBusy={actions.isBusy} onClick={() => change({ isOpen: 'report' })}>
          {words.report}
        </Button>
      </div>
      {draft.isOpen === 'report' && (
        <ReportDialog view={view} isSender={isSender} actions={actions} />
      )}
    </Card>
  );
}

function ReportDialog({ view, isSender, actions }: Props & { isSender: boolean }) {
  const kinds = disputeKindsOf(isSender);
  const { draft, change } = useDeliveryDraft(view.id);
  const values = { kind: draft.reason, text: draft.note };
  const form = useForm({
    values,
    onChange: ({ kind, text }) => change({ reason: kind, note: text }),
    submit: async (): Promise<Complaint | null> => {
      const kind = kinds.find((each) => each === values.kind);
      const text = values.text.trim();
      if (!kind || !text) {
        return {
          fields: {
            ...(!kind && { kind: words.form.noKind }),
            ...(!text && { text: words.form.noText }),
          },
        };
      }
      if (await actions.report(kind, text)) change({ isOpen: '', reason: '', note: '' });
      return null;
    },
  });
  return (
    <SheetDialog
      name={`report ${view.id}`}
      title={words.report}
      closeLabel={words.form.cancel}
      onClose={() => change({ isOpen: '' })}
    >
      <Form
        {...form.props}
        label={words.report}
        actions={
          <SheetActions>
            <Submit isWide words={words.form} isBusy={form.isBusy} />
          </SheetActions>
        }
      >
        <RadioGroup legend={words.form.kind} name="kind" error={form.errors.kind}>
          {kinds.map((kind) => (
            <RadioChoice
              key={kind}
              name="kind"
              label={words.kinds[kind]}
              isChosen={values.kind === kind}
              onChoose={() => change({ reason: kind })}
            />
          ))}
        </RadioGroup>
        <TextAreaField {...form.field('text')} label={words.form.text} />
      </Form>
    </SheetDialog>
  );
}

function OpenDispute({ view }: { view: PackageView }) {
  const actor = useActor();
  const { draft, change } = useDeliveryDraft(view.id);
  const { dispute } = view;
  const operations = useOperations() ?? [];
  if (!dispute) return null;
  // Reported on this phone, and not sent yet.
  const isUnsent = operations.some(({ id, state }) => id === dispute._id && state === 'waiting');
  const reporter = dispute.by === 'sender' ? view.sender : view.courier;
  const isOwn = reporter?.id === actor.id;
  const mayDecide = can(actor, 'resolve', factsOf(view)).isAllowed && view.mark !== 'waiting';
  return (
    <Card
      title={words.open.title}
      aside={<span className={layout.soft}>{words.open.by[isOwn ? 'you' : dispute.by]}</span>}
    >
      <Reported dispute={dispute} />
      {mayDecide ? (
        <Button onClick={() => change({ isOpen: 'decide' })}>{words.decide.action}</Button>
      ) : (
        <p>{isUnsent ? words.open.unsent : words.open.wait(heldKoboOf(view) > 0)}</p>
      )}
      {mayDecide && draft.isOpen === 'decide' && <DecideDialog view={view} dispute={dispute} />}
    </Card>
  );
}

type Dispute = NonNullable<PackageView['dispute']>;

function Reported({ dispute: { kind, text } }: { dispute: Dispute }) {
  return (
    <div className={css.reported}>
      <p>
        <strong>{words.kinds[kind]}</strong>
      </p>
      <p>{text}</p>
    </div>
  );
}

interface DecideProps {
  view: PackageView;
  dispute: Dispute;
}

/** '7' → 7; null: not a whole number from 1 to 99. */
const wholePercent = (text: string) => (/^[1-9]\d?$/.test(text.trim()) ? Number(text) : null);

/** What a decision does with what is held, and the button's name for it. */
function effectOf(decision: DisputeDecision, heldKobo: number, percent: number) {
  const { notes, saves } = words.decide;
  const shares = { release: 100, refund: 0, split: percent };
  const share = Math.round((heldKobo * shares[decision]) / 100);
  const [courier, sender] = [formatNaira(share), formatNaira(heldKobo - share)];
  return { note: notes[decision](courier, sender), save: saves[decision](courier, sender) };
}

/** Never queued: it moves money on what the server knows now. */
function DecideDialog({ view, dispute }: DecideProps) {
  const { api, engine } = useSignedIn();
  const keyed = useKeyedCall();
  const { draft, change } = useDeliveryDraft(view.id);
  const [courierPercent, setCourierPercent] = useState('50');
  const values = { decision: draft.reason, courierPercent, reason: draft.note };
  const { decide } = words;
  const held = heldKoboOf(view);
  const percent = wholePercent(values.courierPercent);
  const chosen = disputeDecisions.find((each) => each === values.decision);
  const effect = (decision: DisputeDecision) => effectOf(decision, held, percent ?? 0);
  const form = useForm({
    values,
    onChange: ({ decision, courierPercent: share, reason }) => {
      setCourierPercent(share);
      change({ reason: decision, note: reason });
    },
    submit: async (): Promise<Complaint | null> => {
      const reason = values.reason.trim();
      if (!chosen) return { fields: { decision: decide.noDecision } };
      const isSplit = chosen === 'split';
      if (isSplit && percent === null) {
        return { fields: { courierPercent: decide.noPercent } };
      }
      if (!reason) return { fields: { reason: decide.noReason } };
      const share = isSplit && percent !== null ? { courierPercent: percent } : {};
      const body = { decision: chosen, reason, ...share };
      try {
        await keyed(view.id, { disputeId: dispute._id, ...body }, (key) =>
          api.resolveDispute(view.id, dispute._id, body, key),
        );
        showSuccess(decide.done);
        change({ isOpen: '', reason: '', note: '' });
        return null;
      } catch (error) {
        const { needsNetwork, failed: otherwise } = decide;
        return { message: sentenceOfFailure(failureOf(error), { needsNetwork, otherwise }) };
      } finally {
        engine.request('pull');
      }
    },
  });
  return (
    <SheetDialog
      name={`decide ${view.id}`}
      title={decide.title}
      closeLabel={decide.cancel}
      onClose={() => change({ isOpen: '' })}
    >
      <Form
        {...form.props}
        label={decide.title}
        actions={
          <SheetActions>
            <Submit
              isWide
              isBusy={form.isBusy}
              words={{ ...decide, save: chosen && held > 0 ? effect(chosen).save : decide.save }}
            />
          </SheetActions>
        }
      >
        {/* On a phone the sheet covers it. */}
        <Reported dispute={dispute} />
        <RadioGroup
          legend={held > 0 ? decide.whatOf(formatNaira(held)) : decide.what}
          name="decision"
          error={form.errors.decision}
        >
          {held === 0 && <p className={layout.note}>{decide.nothingHeld}</p>}
          {disputeDecisions.map((decision) => (
            <RadioChoice
              key={decision}
              name="decision"
              label={held > 0 ? decide.choices[decision] : decide.sides[decision]}
              note={held > 0 ? effect(decision).note : undefined}
              isChosen={chosen === decision}
              onChoose={() => change({ reason: decision })}
            />
          ))}
        </RadioGroup>
        {chosen === 'split' && held > 0 && (
          <TextField
            {...form.field('courierPercent')}
            label={decide.percent}
            inputMode="numeric"
            autoComplete="off"
          />
        )}
        <TextAreaField {...form.field('reason')} label={decide.reason} />
      </Form>
    </SheetDialog>
  );
}
