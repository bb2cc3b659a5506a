import encodeQR from 'qr';
import { qrPrefix } from '#contract/event.ts';
import { escapeHtml } from '#server/http/page.ts';

/** In modules, as the standard asks for. */
const quietZone = 4;

/** The recipient's code as a picture for a courier's camera: an SVG element, of rows of dark runs. */
export function qrPicture(token: string, label: string): string {
  const rows = encodeQR(`${qrPrefix}${token}`, 'raw', { ecc: 'medium', border: quietZone });
  const runs = rows.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? '#' : ' '))
        .join('')
        .matchAll(/#+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  );
  const size = rows.length;
  return `<svg role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="${runs.join('')}"/></svg>`;
}
