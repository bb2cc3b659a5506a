/** After the end of a delivery or return: confirm it, report a problem, or settle one. */
import { type DisputeDecision, disputeDecisions } from '#contract/dispute.ts';
import { cleanLine, plainDigits } from '#contract/text.ts';
import { useActor } from '#data/use-actor.ts';
import { useKnownHistory } from '#data/use-history.ts';
import { useNow } from '#data/use-now.ts';
import { useOperations } from '#data/use-outbox.ts';
import { useServerCall } from '#data/use-server-call.ts';
import { useUsers } from '#data/use-users.ts';
import { whenText } from '#domain/dates.ts';
import { formatNaira, nairaToKobo, shareKoboOf } from '#domain/money.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import type { PackageView } from '#domain/overlay.ts';
import { isReturnClaimed } from '#domain/package-state.ts';
import { can, factsOf } from '#domain/policy.ts';
import { displayName } from '#domain/user.ts';
import { disputes as words } from '#messages/en/disputes.ts';
import { primaryOf } from '#package-ui/detail-rules.ts';
import {
  disputeKindsOf,
  heldKoboOf,
  isInBooks,
  mayReport,
  reportableUntilMs,
  settledKoboOf,
} from '#package-ui/dispute-rules.ts';
import { useDeliveryDraft } from '#package-ui/use-delivery-draft.ts';
import type { PackageActions } from '#package-ui/use-package-actions.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { SheetActions, SheetDialog } from '#ui/dialog.tsx';
import { Form, Submit, TextAreaField, TextField } from '#ui/field.tsx';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import layout from '#ui/stack.module.css';
import { showSuccess } from '#ui/toast.tsx';
import { type Complaint, useForm } from '#ui/use-form.ts';
import { Words } from '#ui/words.tsx';
import css from './end-card.module.css';

interface Props {
  view: PackageView;
  actions: PackageActions;
}

/** 'tomorrow 14:05', within a sentence; '' without a time. */
function whenWithin(iso: string | null, nowMs: number): string {
  const text = whenText(iso, nowMs) ?? '';
  return text.charAt(0).toLowerCase() + text.slice(1);
}

export function EndCard({ view, actions }: Props) {
  const actor = useActor();
  const { isOpen, open } = useDeliveryDraft(view.id, 'report');
  const nowMs = useNow();
  const events = useKnownHistory(view.id)?.events;
  if (view.dispute) return <OpenDispute view={view} />;
  if (!mayReport(actor, view, { nowMs, events })) return null;
  const isSender = view.sender.id === actor.id;
  const release = whenWithin(view.releaseAt, nowMs);
  const until = whenWithin(new Date(reportableUntilMs(view)).toISOString(), nowMs);
  const isAsked = primaryOf(actor, view) === 'confirm';
  return (
    <Card title={isAsked ? words.ended.title : words.ended.otherTitle}>
      <p>
        {release
          ? isReturnClaimed(view)
            ? words.ended.returnClaimed(release)
            : words.ended.held(release, isSender)
          : isAsked
            ? words.ended.delivered(until)
            : words.ended.other(until)}
      </p>
      <div className={layout.actions}>
        <Button tone="quiet" isBusy={actions.isBusy} onClick={open}>
          {words.report}
        </Button>
      </div>
      {isOpen && <ReportDialog view={view} isSender={isSender} actions={actions} />}
    </Card>
  );
}

function ReportDialog({ view, isSender, actions }: Props & { isSender: boolean }) {
  const kinds = disputeKindsOf(isSender);
  const { draft, change, clear, close } = useDeliveryDraft(view.id, 'report');
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
      if (!(await actions.report(kind, text))) return {};
      clear();
      return null;
    },
  });
  return (
    <SheetDialog
      name={`report ${view.id}`}
      title={words.report}
      closeLabel={words.form.cancel}
      onClose={close}
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
  const { dispute } = view;
  const { isOpen, open } = useDeliveryDraft(view.id, `decide ${dispute?._id}`);
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
        <Button onClick={open}>{words.decide.action}</Button>
      ) : (
        <p>{isUnsent ? words.open.unsent : words.open.wait(heldKoboOf(view) > 0)}</p>
      )}
      {mayDecide && isOpen && <DecideDialog view={view} dispute={dispute} />}
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
      <p>
        <Words text={text} />
      </p>
    </div>
  );
}

interface DecideProps {
  view: PackageView;
  dispute: Dispute;
}

/** '7' or '7 %' → 7; null: not a whole number from 1 to 99. */
function wholePercent(text: string): number | null {
  const number = plainDigits(cleanLine(text)).replace(/ ?%$/, '');
  return /^[1-9]\d?$/.test(number) ? Number(number) : null;
}

interface Effect {
  note: string | undefined;
  save: string;
  /** Explains why it is impossible: the balance no longer covers the amount. */
  complaint?: string | undefined;
}

/** The effect of a decision on held or paid money, and the button's label. */
function useEffectOf(view: PackageView): (decision: DisputeDecision, percent: number) => Effect {
  const users = useUsers();
  const { notes, saves, moves, save, short } = words.decide;
  const heldKobo = heldKoboOf(view);
  return (decision, percent) => {
    const courierPercent = { release: 100, refund: 0, split: percent }[decision];
    if (heldKobo > 0) {
      const share = shareKoboOf(heldKobo, courierPercent);
      const [courier, sender] = [formatNaira(share), formatNaira(heldKobo - share)];
      return { note: notes[decision](courier, sender), save: saves[decision](courier, sender) };
    }
    if (!isInBooks(view)) return { note: undefined, save };
    const moved = settledKoboOf(view, courierPercent);
    if (moved === 0) return { note: moves.none, save };
    const giver = moved > 0 ? view.sender : view.courier;
    const name = giver ? displayName(giver) : '';
    const amountKobo = Math.abs(moved);
    const balance = users?.find(({ id }) => id === giver?.id)?.balance ?? null;
    const missingKobo = balance === null ? 0 : amountKobo - nairaToKobo(balance);
    const note = (moved > 0 ? moves.toCourier : moves.toSender)(formatNaira(amountKobo), name);
    return missingKobo > 0
      ? { note, save, complaint: short(name, formatNaira(missingKobo)) }
      : { note, save };
  };
}

/** Never queued: it moves money by the server's current state. */
function DecideDialog({ view, dispute }: DecideProps) {
  const { call } = useServerCall();
  const sheet = `decide ${dispute._id}` as const;
  const { draft, change, clear, close } = useDeliveryDraft(view.id, sheet);
  const { courierPercent } = draft;
  const values = { decision: draft.reason, courierPercent, reason: draft.note };
  const { decide } = words;
  const held = heldKoboOf(view);
  const percent = wholePercent(values.courierPercent);
  const chosen = disputeDecisions.find((each) => each === values.decision);
  const effectOf = useEffectOf(view);
  const effect = (decision: DisputeDecision) => effectOf(decision, percent ?? 0);
  const isMoney = held > 0 || isInBooks(view);
  const form = useForm({
    values,
    onChange: ({ decision, courierPercent: share, reason }) =>
      change({ reason: decision, courierPercent: share, note: reason }),
    submit: async (): Promise<Complaint | null> => {
      const reason = values.reason.trim();
      if (!chosen) return { fields: { decision: decide.noDecision } };
      const isSplit = chosen === 'split';
      if (isSplit && percent === null) {
        return { fields: { courierPercent: decide.noPercent } };
      }
      if (!reason) return { fields: { reason: decide.noReason } };
      const { complaint } = effect(chosen);
      if (complaint) return { fields: { decision: complaint } };
      const share = isSplit && percent !== null ? { courierPercent: percent } : {};
      const body = { decision: chosen, reason, ...share };
      const called = await call(view.id, { disputeId: dispute._id, ...body }, (api, key) =>
        api.resolveDispute(view.id, dispute._id, body, key),
      );
      if (called.kind === 'failed') {
        const { needsNetwork, failed: otherwise } = decide;
        return { message: sentenceOfFailure(called.failure, { needsNetwork, otherwise }) };
      }
      showSuccess(decide.done);
      clear();
      return null;
    },
  });
  const paid = formatNaira(view.priceOfferKobo);
  const legend =
    held > 0 ? decide.whatOf(formatNaira(held)) : isMoney ? decide.whatOfPaid(paid) : decide.what;
  return (
    <SheetDialog
      name={`decide ${view.id}`}
      title={decide.title}
      closeLabel={decide.cancel}
      onClose={close}
    >
      <Form
        {...form.props}
        label={decide.title}
        actions={
          <SheetActions>
            <Submit
              isWide
              isBusy={form.isBusy}
              words={{ ...decide, save: chosen ? effect(chosen).save : decide.save }}
            />
          </SheetActions>
        }
      >
        {/* On a phone the sheet covers it. */}
        <Reported dispute={dispute} />
        <RadioGroup
          legend={legend}
          name="decision"
          error={form.errors.decision ?? (chosen && effect(chosen).complaint)}
        >
          {!isMoney && <p className={layout.note}>{decide.nothingHeld}</p>}
          {disputeDecisions.map((decision) => (
            <RadioChoice
              key={decision}
              name="decision"
              label={isMoney ? decide.choices[decision] : decide.sides[decision]}
              note={effect(decision).note}
              isChosen={chosen === decision}
              onChoose={() => change({ reason: decision })}
            />
          ))}
        </RadioGroup>
        {chosen === 'split' && isMoney && (
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
