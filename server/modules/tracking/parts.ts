/**
 * The changing part of the recipient's page, inside `main`: the same bytes for all readers of a link
 * and language. Elements keep their ids, so that the page's script changes only what differs.
 */
import { attemptReasons } from '#contract/event.ts';
import { pathOf, routes } from '#contract/routes.ts';
import type { Tracking, TrackingStage } from '#contract/tracking.ts';
import { groupedCode } from '#domain/codes.ts';
import { callLink, showPhone, whatsAppLink } from '#domain/contact-links.ts';
import { escapeHtml } from '#server/http/page.ts';
import { qrPicture } from './qr.ts';
import { ageText, distanceText, timeText } from './times.ts';
import type { Tracked } from './tracking.ts';
import type { Phase, Words } from './words.ts';

interface Needs extends Tracked {
  token: string;
  words: Words;
  now: Date;
}

/** Number of the step, out of four; 0: the package will not come. */
const stepOf: Record<TrackingStage, number> = {
  waiting: 1,
  accepted: 2,
  picked_up: 3,
  attempted: 3,
  arrived: 3,
  delivered: 4,
  returning: 0,
  returned: 0,
  cancelled: 0,
};
const tones: Partial<Record<TrackingStage, string>> = {
  attempted: 'warn',
  returning: 'warn',
  delivered: 'good',
  returned: 'over',
  cancelled: 'over',
};

const timeOf = ({ words, now }: Needs, iso: string) =>
  `<time datetime="${escapeHtml(iso)}">${escapeHtml(timeText(words, iso, now))}</time>`;

const section = (id: string, title: string, content: string) =>
  `<section id="${id}" class="card"><h2>${escapeHtml(title)}</h2>${content}</section>`;

export function phaseOf(stage: TrackingStage): Phase {
  if (stage === 'delivered') return 'delivered';
  return stepOf[stage] > 0 ? 'coming' : 'over';
}

/** The page's state for the script. */
function stateOf({ stage, canNote, position }: Tracking): string {
  const place = position ? ` data-lat="${position.lat}" data-lng="${position.lng}"` : '';
  return `<i id="state" hidden data-phase="${phaseOf(stage)}" data-can-note="${canNote}"${place}></i>`;
}

/** Advice to the recipient after a failed attempt. */
function adviceOf({ tracking, words }: Needs, attempt: Tracking['timeline'][number] | undefined) {
  const { stage, canNote, note } = tracking;
  const canRetry =
    stage === 'attempted' && attempt?.reason && attemptReasons[attempt.reason].canRetry;
  if (!canRetry) return words.notAgain;
  if (note && attempt && note.at > attempt.at) return words.noted;
  return canNote ? words.tryAgain : words.tryByPhone;
}

function stageOf(needs: Needs): string {
  const { tracking, words } = needs;
  const { stage, timeline, window } = tracking;
  const attempt = timeline.findLast(({ type }) => type === 'attempt_failed');
  const reason = stage === 'attempted' ? attempt?.reason : undefined;
  const isStuck = stage === 'attempted' || stage === 'returning';
  const advice = adviceOf(needs, attempt);
  const why = [
    ...(reason ? [words.because(words.reasons[reason])] : []),
    ...(isStuck ? [advice] : []),
  ].map((text) => `<p>${escapeHtml(text)}</p>`);
  const wayOn =
    isStuck && advice === words.tryAgain
      ? `<p><a class="button" href="#note">${escapeHtml(words.send)}</a></p>`
      : '';
  const step = stepOf[stage];
  const steps = [1, 2, 3, 4].map((nth) => `<i${nth <= step ? ' class="on"' : ''}></i>`).join('');
  // The agreed window is over once the courier was there.
  const isAwaited = stage === 'waiting' || stage === 'accepted' || stage === 'picked_up';
  const ended =
    phaseOf(stage) === 'coming' ? undefined : timeline.findLast(({ type }) => type === stage);
  const times = [
    ...(step < stepOf.picked_up ? [[words.pickup, window.from] as const] : []),
    ...(window.to === null ? [] : [[words.delivery, window.to] as const]),
  ].map(([name, iso]) => `<div><dt>${escapeHtml(name)}</dt><dd>${timeOf(needs, iso)}</dd></div>`);
  return `<section id="stage" class="card ${tones[stage] ?? 'on-the-way'}" data-stage="${stage}">
<p class="soft">${escapeHtml(words.title(tracking.packageId))}</p>
<h1>${escapeHtml(words.stages[stage])}</h1>${why.join('')}${wayOn}${ended ? `<p>${timeOf(needs, ended.at)}</p>` : ''}
${step > 0 ? `<div class="steps" aria-hidden="true">${steps}</div>` : ''}
${isAwaited && times.length > 0 ? `<dl>${times.join('')}</dl>` : ''}
</section>`;
}

/** Filled by the script, and kept as it is while there is a courier. */
const mapPlace = (
  words: Words,
) => `<div id="place" data-own role="group" aria-label="${escapeHtml(words.place)}">
<button type="button" id="show-map" hidden>${escapeHtml(words.showMap)}</button>
<div id="map" hidden></div></div>`;

function courierOf({ tracking, meters, words, now }: Needs): string {
  const { courier, position, packageId } = tracking;
  if (!courier) return '';
  const { firstName, vehicle, phoneNumber } = courier;
  const who = `<p><strong dir="auto">${escapeHtml(firstName)}</strong>${vehicle ? ` · <bdi>${escapeHtml(vehicle)}</bdi>` : ''}</p>`;
  const where = position
    ? [
        ...(meters === null ? [] : [words.away(distanceText(words, meters))]),
        words.seen(ageText(words, position.at, now)),
      ]
        .map((text) => `<p class="soft">${escapeHtml(text)}</p>`)
        .join('')
    : '';
  const call = phoneNumber && callLink(phoneNumber);
  const whatsApp = phoneNumber && whatsAppLink(phoneNumber, words.greeting(packageId));
  const links = [
    call &&
      `<a class="button primary" href="${escapeHtml(call)}">${escapeHtml(`${words.call} ${showPhone(phoneNumber)}`)}</a>`,
    whatsApp &&
      `<a class="button" href="${escapeHtml(whatsApp)}" target="_blank" rel="noreferrer noopener">${escapeHtml(words.whatsApp)}</a>`,
  ].filter(Boolean);
  return section(
    'courier',
    words.courier,
    `${who}<div>${where}</div><p class="ways">${links.join(' ')}</p>${mapPlace(words)}`,
  );
}

function codeOf({ tracking, words }: Needs): string {
  if (!tracking.handover) return '';
  const { code, token } = tracking.handover;
  const digits =
    code === null
      ? ''
      : `<p class="digits" aria-label="${escapeHtml([...code].join(' '))}">${escapeHtml(groupedCode(code))}</p>`;
  const hint = `<p>${escapeHtml(words.codeHint)}</p>`;
  const qr = `<p class="soft">${escapeHtml(words.qr)}</p>${qrPicture(token, words.qr)}`;
  return section('code', words.code, `${digits}${hint}${qr}`);
}

function photosOf({ tracking, token, words, awaitsPhotos }: Needs): string {
  if (tracking.photoIds.length === 0 && !awaitsPhotos) return '';
  const photos = tracking.photoIds.map((photoId, nth) => {
    const src = pathOf(routes.trackedPhoto.path, { token, photoId });
    return `<a id="${escapeHtml(photoId)}" href="${escapeHtml(src)}"><img src="${escapeHtml(src)}" alt="${escapeHtml(words.photo(nth + 1))}" loading="lazy"></a>`;
  });
  const later = awaitsPhotos ? `<p class="soft">${escapeHtml(words.photosLater)}</p>` : '';
  return section('photos', words.photos, photos.join('') + later);
}

function noteOf(needs: Needs): string {
  const { tracking, words } = needs;
  const { note, stage } = tracking;
  // Afterwards the timeline says that there was one.
  if (!note || phaseOf(stage) !== 'coming') return '';
  const kind = new Map(Object.entries(words.kinds)).get(note.kind) ?? '';
  return section(
    'your-note',
    words.yourNote,
    `<p><strong>${escapeHtml(kind)}</strong></p><p class="text" dir="auto">${escapeHtml(note.text)}</p><p class="soft">${timeOf(needs, note.at)}</p>`,
  );
}

function timelineOf(needs: Needs): string {
  const { tracking, words, now } = needs;
  // Notes one after another are one line: the last is shown above.
  const told = tracking.timeline.filter(
    ({ type }, nth, all) => type !== 'recipient_note' || all[nth + 1]?.type !== type,
  );
  const events = told.toReversed().map(({ type, at, reason }) => {
    const why = reason ? `: ${words.reasons[reason]}` : '';
    return `<li>${escapeHtml(`${words.events[type]}${why}`)} ${timeOf(needs, at)}</li>`;
  });
  const { endsAt } = tracking;
  const end = endsAt
    ? `<p class="soft">${escapeHtml(words.endsAt(timeText(words, endsAt, now)))}</p>`
    : '';
  return section('timeline', words.timeline, `<ol>${events.join('')}</ol>${end}`);
}

export function insideOf(needs: Needs): string {
  return [
    stateOf(needs.tracking),
    ...[stageOf, courierOf, codeOf, photosOf, noteOf, timelineOf].map((part) => part(needs)),
  ]
    .filter((part) => part !== '')
    .join('\n');
}
