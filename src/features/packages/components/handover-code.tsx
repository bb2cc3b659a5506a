/** What a sender tells or shows: the recipient's code, or on the way back the one for the return. */
import { Copy, MessageCircle, Share2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { qrPrefix } from '#contract/event.ts';
import { productName } from '#contract/version.ts';
import { whatsAppLink } from '#domain/contact-links.ts';
import type { PackageView } from '#domain/overlay.ts';
import { factsOf, progressOf } from '#domain/policy.ts';
import { handover as words } from '#messages/en/handover.ts';
import { packages } from '#messages/en/packages.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { copyText } from '#ui/copy-button.tsx';
import layout from '#ui/stack.module.css';
import { showError, showInfo } from '#ui/toast.tsx';
import detail from './detail.module.css';
import css from './handover-code.module.css';
import { shareText } from './share-button.tsx';

/** '123 456', as it is said. */
const grouped = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`;

/** What the recipient gets. */
const messageOf = ({ packageId, dropoffCode }: PackageView) =>
  words.dropoff.message(packageId || packages.noNumber, grouped(dropoffCode ?? ''));

const share = (view: PackageView) =>
  shareText(`${productName} ${view.packageId}`.trim(), messageOf(view));

async function copy(view: PackageView) {
  if (await copyText(messageOf(view))) showInfo(words.copied);
  else showError(packages.detail.notCopied);
}

/** At the thumb: with what the phone shares by, else to paste where they like. */
export function SendCodeButton({ view }: { view: PackageView }) {
  const send = async () => {
    if (!(await share(view))) await copy(view);
  };
  return (
    <Button tone="accent" onClick={() => void send()}>
      <Share2 aria-hidden size={20} />
      {words.send}
    </Button>
  );
}

interface Props {
  view: PackageView;
  /** The bar at the thumb sends the code. */
  isSendInBar: boolean;
}

/** Codes come to those who may know them only (contract/package). */
export function HandoverCode({ view, isSendInBar }: Props) {
  const { dropoffCode, dropoffToken, returnCode, status } = view;
  const progress = progressOf(factsOf(view));
  if (progress === 'returning') {
    if (!returnCode) return null;
    return (
      <Card title={words.back.title}>
        <p className={layout.soft}>{words.back.text}</p>
        <Digits code={returnCode} />
        {view.codeLocked && <p>{words.locked}</p>}
      </Card>
    );
  }
  const isOpen = status === 'pending' || progress !== null;
  if (!isOpen || !dropoffCode) return null;
  return (
    <Card title={words.dropoff.title}>
      <p className={layout.soft}>{words.dropoff.text(view.recipientName)}</p>
      <div className={css.code}>
        <Digits code={dropoffCode} />
        {dropoffToken && <QrCode text={`${qrPrefix}${dropoffToken}`} />}
      </div>
      {view.codeLocked && <p>{words.locked}</p>}
      <Ways view={view} isSendInBar={isSendInBar} />
    </Card>
  );
}

/** Read out digit by digit. */
function Digits({ code }: { code: string }) {
  return (
    <p className={css.digits}>
      <span className="visually-hidden">{words.spoken([...code].join(' '))}</span>
      <span aria-hidden>{grouped(code)}</span>
    </p>
  );
}

function Ways({ view, isSendInBar }: Props) {
  const whatsApp = whatsAppLink(view.recipientPhone ?? '', messageOf(view));
  return (
    <ul className={detail.actions}>
      {'share' in navigator && !isSendInBar && (
        <li>
          <button
            type="button"
            className={`${detail.action} ${css.way}`}
            onClick={() => void share(view)}
          >
            <Share2 aria-hidden size={22} />
            {words.share}
          </button>
        </li>
      )}
      {whatsApp && (
        <li>
          <a className={detail.action} href={whatsApp} target="_blank" rel="noreferrer">
            <MessageCircle aria-hidden size={22} />
            {words.whatsApp}
          </a>
        </li>
      )}
      <li>
        <button
          type="button"
          className={`${detail.action} ${css.way}`}
          onClick={() => void copy(view)}
        >
          <Copy aria-hidden size={22} />
          {words.copy}
        </button>
      </li>
    </ul>
  );
}

/** Modules of white that a scanner needs around it. */
const quietZone = 4;

/** One path of unit squares. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
}

/** Black on white in any look: it is scanned in the sun. */
function QrCode({ text }: { text: string }) {
  const [rows, setRows] = useState<readonly (readonly boolean[])[] | null>();
  useEffect(() => {
    let isGone = false;
    const show = (drawn: typeof rows) => isGone || setRows(drawn);
    import('qr').then(
      ({ encodeQR }) => show(encodeQR(text, 'raw', { ecc: 'medium', border: quietZone })),
      () => show(null),
    );
    return () => {
      isGone = true;
    };
  }, [text]);
  if (rows === null) return <p className={layout.soft}>{words.noPicture}</p>;
  const size = rows?.length ?? 1;
  return (
    <svg
      className={css.qr}
      role="img"
      aria-label={words.picture}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      {rows && <path d={pathOf(rows)} />}
    </svg>
  );
}
