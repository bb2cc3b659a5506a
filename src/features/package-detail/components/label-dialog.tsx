/**
 * A label for the package, shown as it will be printed. Its styles come with it, so that printing any
 * other page is as before; the printed copy stands beside the app, which print does not show.
 */

import { type CSSProperties, useEffect } from 'react';
import { createPortal } from 'react-dom';
import { productName } from '#contract/version.ts';
import { showPhone } from '#domain/contact-links.ts';
import type { PackageView } from '#domain/overlay.ts';
import { recipientLink } from '#messages/en/recipient-link.ts';
import { QrPicture, useQrRows } from '#package-ui/qr-code.tsx';
import { Button } from '#ui/button.tsx';
import { PanelDialog } from '#ui/dialog.tsx';
import layout from '#ui/stack.module.css';
import styles from './label.css?inline';

const words = recipientLink.label;

/** The longest word of a line at full size. */
const roomyWord = 20;
/** Scale for a short address. */
const largest = 2;

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);

interface LabelProps {
  view: PackageView;
  /** Null: not on this label (recipient-link-rules.ts). */
  link: string | null;
}

export function LabelDialog(props: LabelProps & { onClose(): void }) {
  useEffect(() => {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    };
  }, []);
  return (
    <PanelDialog title={words.title} onClose={props.onClose}>
      <Label {...props} />
      {createPortal(<Label {...props} isPrinted />, document.body)}
      {props.link === null && <p className={layout.note}>{words.noLink}</p>}
      <div className={layout.choices}>
        <Button tone="quiet" onClick={props.onClose}>
          {words.close}
        </Button>
        <Button onClick={() => window.print()}>{words.print}</Button>
      </div>
    </PanelDialog>
  );
}

/** How large the letters may be: a short address fills the paper, and all of a long one is on it. */
function fitOf({ recipientName, deliveryAddress, pickupAddress }: PackageView, hasQr: boolean) {
  const words = `${recipientName} ${deliveryAddress}`.split(/\s+/);
  const growth = roomyWord / Math.max(...words.map((word) => word.length));
  // In letters of the pickup's size, in lines that are mostly full.
  const letters = 4 * recipientName.length + 3 * deliveryAddress.length + pickupAddress.length;
  const room = hasQr ? 320 : 560;
  return Math.min(largest, Math.max(1, growth), Math.sqrt(room / letters));
}

function Label({ view, link, isPrinted = false }: LabelProps & { isPrinted?: boolean }) {
  const { recipientName, recipientPhone, deliveryAddress, pickupAddress } = view;
  return (
    <div
      className={`label-paper ${isPrinted ? 'label-printed' : 'label-preview'}`}
      style={{ '--fit': fitOf(view, link !== null) } as CSSProperties}
    >
      <p className="label-number">
        <span>{productName}</span>
        <strong>{view.packageId}</strong>
      </p>
      <div className="label-to">
        <p className="label-name">{words.to}</p>
        <p className="label-who" dir="auto">
          {recipientName}
        </p>
        {recipientPhone && <p className="label-phone">{showPhone(recipientPhone)}</p>}
        <p className="label-place" dir="auto">
          {deliveryAddress}
        </p>
      </div>
      <div className="label-foot">
        <div>
          <p className="label-name">{words.from}</p>
          <p dir="auto">{pickupAddress}</p>
        </div>
        {link && <LinkQr link={link} />}
      </div>
    </div>
  );
}

function LinkQr({ link }: { link: string }) {
  const rows = useQrRows(link);
  // Without the library the label is as good without it.
  if (rows === null) return null;
  return (
    <div className="label-qr">
      <QrPicture rows={rows} label={words.picture} />
      <p>{words.scan}</p>
    </div>
  );
}
