import type { Page } from '@playwright/test';

/**
 * Each role has its own phone. `visitor` is signed out; `newcomer` (sender) and `recruit` (courier)
 * have just signed up, without profile or packages; `lapsed` loses the session; `stranded` has
 * unsendable changes; the others are demo accounts (server/demo).
 */
export const roles = [
  ...(['visitor', 'sender', 'courier', 'dispatcher'] as const),
  ...(['newcomer', 'recruit', 'lapsed', 'stranded'] as const),
] as const;
export type Role = (typeof roles)[number];

export interface Helpers {
  /** From now on every API call fails, as if offline; the page stays loaded. */
  cutOff(): Promise<void>;
  /** Mocks responses for paths matching `end`. */
  answer(method: string, end: RegExp, status: number, body: object): Promise<void>;
  /** Requests to paths matching `end` stay unanswered during the scene. */
  silence(method: string, end: RegExp): Promise<void>;
  /** Calls the server directly as the scene's user; resolves with the response body. */
  call(method: string, path: string, body?: object): Promise<unknown>;
}

export interface Scene {
  /** Unique per role; part of the file name: 'home-sheet-full'. */
  name: string;
  as: Role;
  /** Start path; a function may ask the server for an id. */
  path: string | ((helpers: Helpers) => Promise<string>);
  /** Runs before the page opens. */
  before?(helpers: Helpers, page: Page): Promise<void>;
  /** Navigates from the start path to the scene; ends on a visible state, not on time. */
  reach(page: Page, helpers: Helpers): Promise<void>;
}
