/** What a scene is. The lists of them are data: a new screen is one more row. */
import type { Page } from '@playwright/test';

/**
 * Whose phone it is. `visitor` is signed out; `newcomer` and `recruit` have just signed up, as sender
 * and courier, and have neither profile nor packages; `lapsed` loses the session, and `stranded` has what cannot be
 * sent; the others live in the demo (server/demo).
 */
export const roles = [
  ...(['visitor', 'sender', 'courier', 'dispatcher'] as const),
  ...(['newcomer', 'recruit', 'lapsed', 'stranded'] as const),
] as const;
export type Role = (typeof roles)[number];

/** What the scene may ask of the stage, beside the page itself. */
export interface Helpers {
  /** From here on no call gets through, as without a network; the page itself is kept. */
  cutOff(): Promise<void>;
  /** Answers calls to a path that ends in `end` with this instead of asking the server. */
  answer(method: string, end: RegExp, status: number, body: object): Promise<void>;
  /** Calls to a path that ends in `end` get no answer for as long as the scene lasts. */
  silence(method: string, end: RegExp): Promise<void>;
  /** As the scene's person, past the page; answers what the server answered. */
  call(method: string, path: string, body?: object): Promise<unknown>;
}

export interface Scene {
  /** Of the file: 'home-sheet-full'. One of a kind for its role. */
  name: string;
  as: Role;
  /** Where it begins; a function asks the server first, for an id. */
  path: string | ((helpers: Helpers) => Promise<string>);
  /** Before the page is opened. */
  before?(helpers: Helpers, page: Page): Promise<void>;
  /** From the opened page to what the picture is of. It ends on a visible state, not on time. */
  reach(page: Page, helpers: Helpers): Promise<void>;
}
