/**
 * The error console of a phone. Whatever stands in it is a fault, except for the browser's own line
 * about a call that did not go well, where the journey has provoked exactly that on this very phone.
 */
import type { BrowserContext, ConsoleMessage } from '@playwright/test';

/** The browser's own words, and nobody else's. */
const ownLines = {
  'no network': /^Failed to load resource: net::ERR_INTERNET_DISCONNECTED$/,
  'lost reply': /^Failed to load resource: net::ERR_EMPTY_RESPONSE$/,
  'status 401': /^Failed to load resource: the server responded with a status of 401 /,
  'status 402': /^Failed to load resource: the server responded with a status of 402 /,
  'status 409': /^Failed to load resource: the server responded with a status of 409 /,
  'status 503': /^Failed to load resource: the server responded with a status of 503 /,
};

export type Provoked = keyof typeof ownLines;

export interface PhoneConsole {
  /** The journey does this to the phone, from here on. */
  provoke(...what: Provoked[]): void;
  /** Lines that nobody has provoked, and uncaught errors. */
  complaints(): string[];
}

export function listenToConsole(context: BrowserContext): PhoneConsole {
  const provoked = new Set<Provoked>();
  const lines: string[] = [];
  const faults: string[] = [];
  const hear = (message: ConsoleMessage) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const text = message.text();
    // Provoked before it is heard of: a line about what comes later would be about something else.
    if ([...provoked].some((what) => ownLines[what].test(text))) return;
    lines.push(`${message.type()}: ${text} (${message.location().url})`);
  };
  context.on('console', hear);
  context.on('serviceworker', (worker) => worker.on('console', hear));
  context.on('weberror', (error) => faults.push(`uncaught: ${error.error().stack}`));
  return {
    provoke: (...what) => {
      for (const each of what) provoked.add(each);
    },
    complaints: () => [...faults, ...lines],
  };
}
