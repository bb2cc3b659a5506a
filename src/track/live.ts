/**
 * The script of the recipient's page, which is whole without it: changes as they happen, the note
 * without leaving the page, and the map when it is asked for.
 */
import { readEvents } from './event-stream.ts';
import { type Contact, follow } from './follow.ts';
import { mapButton } from './map-button.ts';
import { noteForm } from './note.ts';
import { parsePage, type TrackingPage, trackingPage } from './page.ts';
import { wordsFor } from './words.ts';

/** As the server writes times (server/modules/tracking/times.ts). */
const timeZone = 'Africa/Lagos';

function begin(page: TrackingPage, announce: () => void): void {
  const words = wordsFor(document.documentElement.lang);
  const clock = new Intl.DateTimeFormat(document.documentElement.lang, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const line = document.createElement('p');
  line.id = 'live';
  document.querySelector('header')?.append(line);

  /** How far this phone's clock is ahead of the server's. */
  let offsetMs = 0;
  const hear = (headers: Headers) => {
    const serverMs = Date.parse(headers.get('date') ?? '');
    if (!Number.isNaN(serverMs)) offsetMs = Date.now() - serverMs;
  };

  const tell = (contact: Contact) => {
    line.dataset.contact = contact.kind;
    if (contact.kind === 'live') line.textContent = words.live;
    else if (contact.at === null) line.textContent = words.cut;
    else {
      const time = clock.format(contact.at - offsetMs);
      line.textContent = contact.kind === 'cut' ? words.cutSince(time) : words.lastChecked(time);
    }
  };

  // The server's page explains the state of the link.
  const leave = () => location.reload();
  /** ETag of the shown page; null after an update by the stream or a note. */
  let etag: string | null = null;
  const map = mapButton(words);
  const note = noteForm({
    words,
    onGone: leave,
    onPage: (fresh) => {
      if (!follower.isLive()) {
        etag = null;
        page.showPage(fresh);
      }
      settle();
    },
  });
  /** Updates the parts outside the streamed HTML. */
  const settle = () => {
    map.show(page.place());
    const { phase, canNote } = page.state();
    note?.settle({ isComing: phase === 'coming', canNote });
    for (const way of document.querySelectorAll<HTMLElement>('[data-phases]')) {
      way.hidden = !way.dataset.phases?.split(' ').includes(phase);
    }
  };

  const follower = follow(
    {
      tell,
      stream: (signal, { bytes, state }) =>
        readEvents(page.eventsUrl, signal, {
          bytes,
          headers: hear,
          html: (html) => {
            etag = null;
            page.showInside(html);
            settle();
            state();
            announce();
          },
        }),
      ask: async (signal) => {
        const answer = await fetch(location.pathname, {
          signal,
          cache: 'no-store',
          credentials: 'omit',
          referrerPolicy: 'no-referrer',
          headers: { accept: 'text/html', ...(etag === null ? {} : { 'if-none-match': etag }) },
        });
        hear(answer.headers);
        if (answer.status === 304) return;
        if (answer.status === 404 || answer.status === 410) return leave();
        const isPage = answer.ok && page.showPage(parsePage(await answer.text()));
        if (!isPage) throw new Error(`Unexpected answer: ${answer.status}`);
        etag = answer.headers.get('etag');
        settle();
        announce();
      },
    },
    Date.now(),
  );
  const look = () => (document.hidden ? follower.rest() : follower.wake());
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', look);
  // A stream without a network is silent for a minute before it counts as cut.
  window.addEventListener('offline', () => {
    follower.rest();
    look();
  });
  // Back from the browser's store of pages, which cuts streams.
  window.addEventListener('pageshow', ({ persisted }) => persisted && look());
  window.addEventListener('pagehide', () => follower.rest());
  tell({ kind: 'asked', at: Date.now() });
  settle();
  look();
}

/** Says politely where the package stands, when that changes. */
function announcer(main: HTMLElement): () => void {
  const region = document.createElement('p');
  region.setAttribute('role', 'status');
  // For screen readers only.
  Object.assign(region.style, {
    position: 'absolute',
    width: '1px',
    height: '1px',
    margin: '-1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  });
  document.body.append(region);
  const stageOf = () => main.querySelector('h1')?.textContent?.trim() ?? '';
  let told = stageOf();
  return () => {
    const stage = stageOf();
    if (stage === told) return;
    document.title = document.title.replace(told, stage);
    told = stage;
    region.textContent = stage;
  };
}

const page = trackingPage();
if (page) begin(page, announcer(page.main));
