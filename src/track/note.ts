/**
 * The recipient's note, sent without leaving the page. The answer is the page that a browser without
 * scripts would get: its errors and its thanks are shown from there.
 */
import { morph } from './morph.ts';
import { parsePage } from './page.ts';
import type { Words } from './words.ts';

interface Needs {
  words: Words;
  /** The link has ended: the server's page says so. */
  onGone(): void;
  /** The answer's other parts. */
  onPage(page: Document): void;
}

const draftKey = `kaya-note ${location.pathname}`;

/** Private windows may refuse storage. */
function keep(text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(draftKey);
    else sessionStorage.setItem(draftKey, text);
  } catch {}
}

function kept(): string {
  try {
    return sessionStorage.getItem(draftKey) ?? '';
  } catch {
    return '';
  }
}

export interface Note {
  /** Keeps a note in progress visible, even if it can no longer be sent. */
  settle(allowed: { isComing: boolean; canNote: boolean }): void;
}

/** Null where the page has no form. */
export function noteForm({ words, onGone, onPage }: Needs): Note | null {
  const section = document.querySelector<HTMLElement>('#note');
  if (!section) return null;
  const textOf = () => section.querySelector('textarea');
  let isSending = false;

  const failure = document.createElement('p');
  failure.setAttribute('role', 'alert');
  failure.className = 'error';
  const say = (message: string) => {
    failure.textContent = message;
    if (message === '') failure.remove();
    else section.querySelector('form')?.append(failure);
  };

  const focusSection = () => {
    section.tabIndex = -1;
    section.focus();
  };

  const send = async (form: HTMLFormElement, body: URLSearchParams) => {
    const sent = textOf()?.value;
    const answer = await fetch(form.action, {
      method: 'POST',
      body,
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(30_000),
    });
    if (answer.status === 404 || answer.status === 410) {
      onGone();
      return;
    }
    const page = parsePage(await answer.text());
    const fresh = page.querySelector('#note');
    // A server in trouble, or a network's own page.
    if (!fresh) throw new Error(`Unexpected answer: ${answer.status}`);
    say('');
    // The stream may show it first, and the next be typed already.
    if (answer.ok && textOf()?.value === sent) {
      keep('');
      form.reset();
    }
    morph(section, fresh);
    onPage(page);
    const wrong = section.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) wrong.focus();
    else if (!section.contains(document.activeElement)) focusSection();
  };

  section.addEventListener('submit', (event) => {
    event.preventDefault();
    // A second tap while the first is on its way.
    if (isSending || !(event.target instanceof HTMLFormElement)) return;
    isSending = true;
    const form = event.target;
    const button = form.querySelector('button');
    button?.setAttribute('aria-disabled', 'true');
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form, event.submitter)) {
      if (typeof value === 'string') body.append(name, value);
    }
    send(form, body)
      .catch(() => say(words.notSent))
      .finally(() => {
        isSending = false;
        button?.removeAttribute('aria-disabled');
      });
  });
  section.addEventListener('input', () => {
    keep(textOf()?.value ?? '');
    // The message was about the previous note.
    section.querySelector('[role=status]')?.remove();
  });
  const text = textOf();
  if (text && text.value === '') text.value = kept();

  return {
    settle({ isComing, canNote }) {
      const isBegun = (textOf()?.value ?? '') !== '';
      const hide = (part: string, isHidden: boolean) =>
        section.querySelector(part)?.toggleAttribute('hidden', isHidden);
      section.hidden = !isComing && !isBegun;
      hide('form', !canNote && !isBegun);
      hide('button', !canNote);
      hide('#no-more-notes', canNote);
      const form = section.querySelector('form');
      if (form?.hidden && form.contains(document.activeElement)) focusSection();
      if (!canNote) say('');
    },
  };
}
