/** A QR code; the library is loaded when one is shown. */
import { useEffect, useState } from 'react';
import css from './qr-code.module.css';

/** Modules of white that a scanner needs around it. */
const quietZone = 4;

type Rows = readonly (readonly boolean[])[];

/** One path of unit squares. */
function pathOf(rows: Rows): string {
  return rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
}

/** Undefined while it is drawn; null: the library could not be loaded. */
export function useQrRows(text: string): Rows | null | undefined {
  const [rows, setRows] = useState<Rows | null>();
  useEffect(() => {
    let isGone = false;
    const show = (drawn: Rows | null) => isGone || setRows(drawn);
    import('qr').then(
      ({ encodeQR }) => show(encodeQR(text, 'raw', { ecc: 'medium', border: quietZone })),
      () => show(null),
    );
    return () => {
      isGone = true;
    };
  }, [text]);
  return rows;
}

/** Black on white in any look: it is scanned in the sun. */
export function QrPicture({ rows, label }: { rows: Rows | undefined; label: string }) {
  const size = rows?.length ?? 1;
  return (
    <svg
      className={css.qr}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      {rows && <path d={pathOf(rows)} />}
    </svg>
  );
}
