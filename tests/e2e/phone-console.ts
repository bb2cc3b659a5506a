/**
 * A phone's error console. Every line is a fault except the browser's line for a failed call, where
 * the test caused that failure on this phone.
 */
import type { BrowserContext, ConsoleMessage } from '@playwright/test';

/** The browser's wording. */
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
  /** Allows these failures from now on. */
  provoke(...what: Provoked[]): void;
  /** Unexpected lines and uncaught errors. */
  complaints(): string[];
}

export function listenToConsole(context: BrowserContext): PhoneConsole {
  const provoked = new Set<Provoked>();
  const lines: string[] = [];
  const faults: string[] = [];
  const hear = (message: ConsoleMessage) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const text = message.text();
    // Registered before the line can appear: a later line has another cause.
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
