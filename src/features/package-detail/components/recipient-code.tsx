/** The codes that prove a delivery or return, sent only to permitted readers (contract/package). */
import { qrPrefix } from '#contract/event.ts';
import { useActor } from '#data/use-actor.ts';
import { groupedCode } from '#domain/codes.ts';
import type { PackageView } from '#domain/overlay.ts';
import { progressOf } from '#domain/package-state.ts';
import { displayName } from '#domain/user.ts';
import { handover as words } from '#messages/en/handover.ts';
import { QrPicture, useQrRows } from '#package-ui/qr-code.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';
import css from './recipient-code.module.css';

/** The code a sender gives the courier on a return. */
export function ReturnCode({ view }: { view: PackageView }) {
  const { returnCode, sender } = view;
  const isOwn = useActor().id === sender.id;
  if (!returnCode || progressOf(view) !== 'returning') return null;
  return (
    <Card title={words.back.title}>
      <p className={layout.soft}>
        {isOwn ? words.back.text : words.back.textForOthers(displayName(sender))}
      </p>
      <Digits code={returnCode} />
      {view.codeLocked && <p>{words.locked}</p>}
    </Card>
  );
}

interface RecipientCodeProps {
  view: PackageView;
  code: string;
}

/** To read out, or to hold up to the courier's camera. */
export function RecipientCode({ view, code }: RecipientCodeProps) {
  const { dropoffToken } = view;
  return (
    <>
      <div className={`${layout.row} ${css.code}`}>
        <Digits code={code} />
        {dropoffToken && <HandoverQr token={dropoffToken} />}
      </div>
      {view.codeLocked && <p>{words.locked}</p>}
    </>
  );
}

/** Read out digit by digit. */
function Digits({ code }: { code: string }) {
  return (
    <p className={css.digits}>
      <span className="visually-hidden">{words.spoken([...code].join(' '))}</span>
      <span aria-hidden>{groupedCode(code)}</span>
    </p>
  );
}

function HandoverQr({ token }: { token: string }) {
  const rows = useQrRows(`${qrPrefix}${token}`);
  if (rows === null) return <p className={layout.soft}>{words.noPicture}</p>;
  return <QrPicture rows={rows} label={words.picture} />;
}
