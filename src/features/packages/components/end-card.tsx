/** After the end of a delivery or return: confirm it, report a problem, or settle one. */
import { useState } from 'react';
import { failureOf } from '#api/failure.ts';
import { disputeDecisions } from '#contract/dispute.ts';
import { useSignedIn } from '#data/services.ts';
import { useActor } from '#data/use-actor.ts';
import { useKeyedCall } from '#data/use-keyed-call.ts';
import { useOperations } from '#data/use-outbox.ts';
import { whenText } from '#domain/dates.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import type { PackageView } from '#domain/overlay.ts';
import { can, factsOf } from '#domain/policy.ts';
import { primaryOf } from '#features/packages/detail-rules.ts';
import { disputeKindsOf, mayReport, reportableUntilMs } from '#features/packages/dispute-rules.ts';
import type { usePackageActions } from '#features/packages/hooks/use-package-actions.ts';
import { disputes as words } from '#messages/en/disputes.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { PanelDialog } from '#ui/dialog.tsx';
import { Form, SaveOrCancel, SelectField, TextAreaField, TextField } from '#ui/field.tsx';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import layout from '#ui/stack.module.css';
import { showSuccess } from '#ui/toast.tsx';
import { type Complaint, useForm } from '#ui/use-form.ts';
import { useNow } from '#ui/use-now.ts';

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
  const [isReporting, setIsReporting] = useState(false);
  const nowMs = useNow();
  if (view.dispute) return <OpenDispute view={view} />;
  if (!mayReport(actor, view, nowMs)) return null;
  const isSender = view.sender.id === actor.id;
  const release = whenWithin(view.releaseAt, nowMs);
  const until = whenWithin(new Date(reportableUntilMs(view)).toISOString(), nowMs);
  return (
    <Card title={words.ended.title}>
      <p>
        {release
          ? words.ended.held(release, isSender)
          : primaryOf(actor, view) === 'confirm'
            ? words.ended.delivered(until)
            : words.ended.other(until)}
      </p>
      <div className={layout.actions}>
        <Button tone="quiet" isBusy={actions.isBusy} onClick={() => setIsReporting(true)}>
          {words.report}
        </Button>
      </div>
      {isReporting && (
        <ReportDialog isSender={isSender} actions={actions} onClose={() => setIsReporting(false)} />
      )}
    </Card>
  );
}

interface ReportProps {
  isSender: boolean;
  actions: Props['actions'];
  onClose(): void;
}

function ReportDialog({ isSender, actions, onClose }: ReportProps) {
  const kinds = disputeKindsOf(isSender);
  const [values, setValues] = useState({ kind: '', text: '' });
  const form = useForm({
    values,
    onChange: setValues,
    submit: async (): Promise<Complaint | null> => {
      const kind = kinds.find((each) => each === values.kind);
      const text = values.text.trim();
      if (!kind) return { fields: { kind: words.form.noKind } };
      if (!text) return { fields: { text: words.form.noText } };
      actions.report(kind, text);
      onClose();
      return null;
    },
  });
  return (
    <PanelDialog title={words.report} onClose={onClose}>
      <Form
        {...form.props}
        label={words.report}
        actions={<SaveOrCancel words={words.form} isBusy={form.isBusy} onCancel={onClose} />}
      >
        <SelectField
          {...form.field('kind')}
          label={words.form.kind}
          choices={[
            { value: '', label: words.form.choose },
            ...kinds.map((value) => ({ value, label: words.kinds[value] })),
          ]}
        />
        <TextAreaField {...form.field('text')} label={words.form.text} />
      </Form>
    </PanelDialog>
  );
}

function OpenDispute({ view }: { view: PackageView }) {
  const actor = useActor();
  const [isDeciding, setIsDeciding] = useState(false);
  const { dispute } = view;
  const operations = useOperations() ?? [];
  if (!dispute) return null;
  // Reported on this phone, and not sent yet.
  const isUnsent = operations.some(({ id, state }) => id === dispute._id && state === 'waiting');
  const isHeld = view.paymentMethod === 'app' && view.paymentStatus === 'paid';
  const mayDecide = can(actor, 'resolve', factsOf(view)).isAllowed && view.mark !== 'waiting';
  return (
    <Card
      title={words.open.title}
      aside={<span className={layout.soft}>{words.open.by[dispute.by]}</span>}
    >
      <p>
        <strong>{words.kinds[dispute.kind]}</strong>
      </p>
      <p>{dispute.text}</p>
      {mayDecide ? (
        <Button onClick={() => setIsDeciding(true)}>{words.decide.action}</Button>
      ) : (
        <p className={layout.soft}>{isUnsent ? words.open.unsent : words.open.wait(isHeld)}</p>
      )}
      {isDeciding && (
        <DecideDialog view={view} disputeId={dispute._id} onClose={() => setIsDeciding(false)} />
      )}
    </Card>
  );
}

interface DecideProps {
  view: PackageView;
  disputeId: string;
  onClose(): void;
}

/** Never queued: it moves money on what the server knows now. */
function DecideDialog({ view, disputeId, onClose }: DecideProps) {
  const { api, engine } = useSignedIn();
  const keyed = useKeyedCall();
  const [values, setValues] = useState({ decision: '', courierPercent: '50', reason: '' });
  const { decide } = words;
  const form = useForm({
    values,
    onChange: setValues,
    submit: async (): Promise<Complaint | null> => {
      const decision = disputeDecisions.find((each) => each === values.decision);
      const reason = values.reason.trim();
      const courierPercent = Number(values.courierPercent);
      const isShare = /^[1-9]\d?$/.test(values.courierPercent.trim());
      if (!decision) return { fields: { decision: decide.noDecision } };
      if (decision === 'split' && !isShare) return { fields: { courierPercent: decide.noPercent } };
      if (!reason) return { fields: { reason: decide.noReason } };
      const body = { decision, reason, ...(decision === 'split' && { courierPercent }) };
      try {
        await keyed(view.id, { disputeId, ...body }, (key) =>
          api.resolveDispute(view.id, disputeId, body, key),
        );
        showSuccess(decide.done);
        onClose();
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
    <PanelDialog title={decide.title} onClose={onClose}>
      <Form
        {...form.props}
        label={decide.title}
        actions={<SaveOrCancel words={decide} isBusy={form.isBusy} onCancel={onClose} />}
      >
        <RadioGroup legend={decide.what} name="decision" error={form.errors.decision}>
          {disputeDecisions.map((decision) => (
            <RadioChoice
              key={decision}
              name="decision"
              label={decide.choices[decision]}
              note={decide.notes[decision]}
              isChosen={values.decision === decision}
              onChoose={() => setValues({ ...values, decision })}
            />
          ))}
        </RadioGroup>
        {values.decision === 'split' && (
          <TextField
            {...form.field('courierPercent')}
            label={decide.percent}
            inputMode="numeric"
            autoComplete="off"
          />
        )}
        <TextAreaField {...form.field('reason')} label={decide.reason} />
      </Form>
    </PanelDialog>
  );
}
