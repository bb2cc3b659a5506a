/** The one place to tell the recipient: their link, and the code where there is one. */
import { Copy, type LucideIcon, MessageSquare, Printer, Share2 } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useActor } from '#data/use-actor.ts';
import { useNow } from '#data/use-now.ts';
import { useNoteTold, useToldRecipients } from '#data/use-told-recipients.ts';
import { textLink, whatsAppLink } from '#domain/contact-links.ts';
import type { PackageView } from '#domain/overlay.ts';
import {
  useNewestLink,
  useReplaceTracking,
} from '#features/package-detail/hooks/use-replace-tracking.ts';
import {
  labelLinkOf,
  messageOf,
  type Telling,
  tellingOf,
} from '#features/package-detail/recipient-link-rules.ts';
import { packages } from '#messages/en/packages.ts';
import { recipientLink as words } from '#messages/en/recipient-link.ts';
import { tileClass } from '#package-ui/contact-buttons.tsx';
import { isUntold } from '#package-ui/reminder-rules.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { copyText } from '#ui/copy-button.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import layout from '#ui/stack.module.css';
import { showError, showInfo, showSuccess } from '#ui/toast.tsx';
import { WhatsApp } from '#ui/whatsapp.ts';
import { RecipientCode } from './recipient-code.tsx';
import css from './recipient-link.module.css';
import { shareText } from './share-button.tsx';

const loadLabel = async () => ({ default: (await import('./label-dialog.tsx')).LabelDialog });
const LabelDialog = lazy(loadLabel);

/** At the thumb: opens the phone's share sheet, else copies the message. */
export function SendLinkButton({ view }: { view: PackageView }) {
  const current = useNewestLink(view);
  const telling = tellingOf(useActor(), current, window.location.origin);
  const noteTold = useNoteTold();
  if (!telling) return null;
  const send = () => share(current, messageOf(current, telling), () => noteTold(view.id, true));
  return (
    <Button tone="accent" onClick={() => void send()}>
      <Share2 aria-hidden size={20} />
      {telling.link ? words.send : words.sendCode}
    </Button>
  );
}

async function share(view: PackageView, text: string, onTold: () => void): Promise<void> {
  const outcome = await shareText(view, text);
  if (outcome === 'shared' || outcome === 'copied') onTold();
  if (outcome === 'copied') showInfo(words.copied);
  if (outcome === 'failed') showError(packages.detail.notCopied);
}

interface RecipientLinkProps {
  view: PackageView;
  /** The bar at the thumb shares it. */
  isSendInBar: boolean;
  /** A courier is on the way to ask for it. */
  isCodeFirst: boolean;
}

export function RecipientLink({ view, isSendInBar, isCodeFirst }: RecipientLinkProps) {
  const actor = useActor();
  const replacing = useReplaceTracking(view);
  const { current } = replacing;
  const told = useToldRecipients();
  const noteTold = useNoteTold();
  const onTold = () => noteTold(view.id, true);
  const isDue = isUntold(current, { actorId: actor.id, told, nowMs: useNow() });
  const telling = tellingOf(actor, current, window.location.origin);
  if (!telling) return null;
  const { link, code, isUnsent } = telling;
  const name = view.recipientName;
  if (isUnsent) {
    return (
      <Card title={words.title}>
        <p className={layout.soft}>{words.unsent}</p>
      </Card>
    );
  }
  const codePart = code && (
    <div className={`${layout.tight} ${css.code}`}>
      <p>
        {link && !isCodeFirst && <strong>{words.code}</strong>}
        <span className={layout.soft} dir="auto">
          {words.codeText(name)}
        </span>
      </p>
      <RecipientCode view={current} code={code} />
    </div>
  );
  return (
    <>
      {link && isCodeFirst && codePart && <Card title={words.code}>{codePart}</Card>}
      <Card title={link ? words.title : words.code}>
        {!link && codePart}
        {isDue ? (
          <div className={`${layout.spread} ${css.reminder}`} data-reminder>
            <p>{words.reminder(name)}</p>
            <Button tone="plain" onClick={onTold}>
              {words.dismiss}
            </Button>
          </div>
        ) : (
          link && (
            <p className={layout.soft} dir="auto">
              {words.text(name)}
            </p>
          )
        )}
        <Ways view={current} telling={telling} isSendInBar={isSendInBar} onTold={onTold} />
        {link && !isCodeFirst && codePart}
        {link && <Foot name={name} link={link} hasCode={code !== null} replacing={replacing} />}
      </Card>
    </>
  );
}

interface Way {
  text: string;
  Icon: LucideIcon;
  /** Opens an app with the message. */
  href?: string;
  onPress?: () => void;
}

interface WaysProps {
  view: PackageView;
  telling: Telling;
  isSendInBar: boolean;
  onTold(): void;
}

/** The phone's own choice of apps first. */
function Ways({ view, telling, isSendInBar, onTold }: WaysProps) {
  const [isPrinting, setIsPrinting] = useState(false);
  const text = messageOf(view, telling);
  const phone = view.recipientPhone ?? '';
  const whatsApp = whatsAppLink(phone, text);
  const sms = textLink(phone, text);
  const copy = async () => {
    if (!(await copyText(text))) return showError(packages.detail.notCopied);
    showInfo(words.copied);
    onTold();
  };
  const ways: Way[] = [
    ...('share' in navigator && !isSendInBar
      ? [{ text: words.share, Icon: Share2, onPress: () => void share(view, text, onTold) }]
      : []),
    ...(whatsApp
      ? [{ text: words.whatsApp, Icon: WhatsApp, href: whatsApp, onPress: onTold }]
      : []),
    ...(sms ? [{ text: words.sms, Icon: MessageSquare, href: sms, onPress: onTold }] : []),
    { text: words.copy, Icon: Copy, onPress: () => void copy() },
  ];
  const printing: Way = {
    text: words.label.action,
    Icon: Printer,
    onPress: () =>
      void loadLabel().then(
        () => setIsPrinting(true),
        () => showError(words.label.failed),
      ),
  };
  return (
    <>
      <ul className={`${layout.grid} ${css.ways}`}>
        {[...ways, ...(telling.link ? [printing] : [])].map((way) => (
          <li key={way.text}>
            <WayButton {...way} />
          </li>
        ))}
      </ul>
      {isPrinting && telling.link && (
        <Suspense>
          <LabelDialog
            view={view}
            link={labelLinkOf(view, telling)}
            onClose={() => setIsPrinting(false)}
          />
        </Suspense>
      )}
    </>
  );
}

function WayButton({ text, Icon, href, onPress }: Way) {
  const className = `${tileClass} ${css.way}`;
  const content: ReactNode = (
    <>
      <Icon aria-hidden size={22} />
      {text}
    </>
  );
  return href ? (
    <a className={className} href={href} target="_blank" rel="noreferrer" onClick={onPress}>
      {content}
    </a>
  ) : (
    <button type="button" className={className} onClick={onPress}>
      {content}
    </button>
  );
}

interface FootProps {
  name: string;
  link: string;
  hasCode: boolean;
  replacing: ReturnType<typeof useReplaceTracking>;
}

/** Apart from sharing: the recipient's view, and replacing the link. */
function Foot({ name, link, hasCode, replacing }: FootProps) {
  const [isAsking, setIsAsking] = useState(false);
  const { action, question, keep, done, ...replace } = words.replace;
  const confirm = async () => {
    setIsAsking(false);
    const complaint = await replacing.replace();
    if (complaint === null) showSuccess(done(name));
    else showError(complaint);
  };
  return (
    <div className={`${layout.spread} ${css.foot}`}>
      <a className={buttonClass('plain')} href={link} target="_blank" rel="noreferrer">
        {words.open}
      </a>
      <Button tone="plain" isBusy={replacing.isBusy} onClick={() => setIsAsking(true)}>
        {action}
      </Button>
      {isAsking && (
        <QuestionDialog
          title={question}
          text={hasCode ? replace.textWithCode : replace.text}
          confirmLabel={action}
          cancelLabel={keep}
          confirmTone="destructive"
          onConfirm={() => void confirm()}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}
