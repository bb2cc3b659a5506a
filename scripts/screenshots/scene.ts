import type { Page } from '@playwright/test';

/**
 * Each role has its own phone. `visitor` is signed out; `newcomer` (sender) and `recruit` (courier)
 * have just signed up, without profile or packages; `lapsed` loses the session; `stranded` has
 * unsendable changes; `longest` (sender) has the longest names and prices; `sunlit` is the courier's
 * second phone, in sun mode; the others are demo accounts (server/demo).
 */
export const roles = [
  ...(['visitor', 'sender', 'courier', 'dispatcher'] as const),
  ...(['newcomer', 'recruit', 'lapsed', 'stranded'] as const),
  ...(['longest', 'sunlit'] as const),
] as const;
export type Role = (typeof roles)[number];

type Call = (method: string, path: string, body?: object) => Promise<unknown>;

export interface Helpers {
  /** Loads what only desks need, which is not there once cut off. */
  loadDesk(): Promise<void>;
  /** Offline until the scene ends; the page stays loaded. */
  cutOff(): Promise<void>;
  /** Mocks responses for paths matching `end`. */
  answer(method: string, end: RegExp, status: number, body: object): Promise<void>;
  /** Requests to paths matching `end` stay unanswered during the scene. */
  silence(method: string, end: RegExp): Promise<void>;
  /** Calls the server directly as the scene's user; resolves with the response body. */
  call: Call;
  /** The same as another role's user. */
  callsOf(role: Role): Promise<Call>;
}

export interface Scene {
  /** Unique per role; part of the file name: 'home-sheet-full'. */
  name: string;
  as: Role;
  /** Start path; a function may ask the server for an id. */
  path: string | ((helpers: Helpers) => Promise<string>);
  /** Runs before the page opens. */
  before?(helpers: Helpers, page: Page): Promise<void>;
  /** Scrolled to the end, in each size. */
  isFoot?: boolean;
  /** Navigates from the start path to the scene; ends on a visible state, not on time. */
  reach(page: Page, helpers: Helpers): Promise<void>;
}

export const scene = (
  as: Role,
  name: string,
  path: Scene['path'],
  reach: Scene['reach'],
): Scene => ({ as, name, path, reach });
