/** The home screen's bottom sheet, whose transitions are pure, and its sidebar. */
import { atom } from 'jotai';

/** Percent of the window's height. */
export const sheetHeights = { collapsed: 18, mid: 32, full: 100 } as const;
export type SheetHeight = keyof typeof sheetHeights;

/** A drag must go further than this to change the height. */
export const dragThresholdPx = 100;

export interface Sheet {
  isOpen: boolean;
  isFullScreen: boolean;
  currentHeight: SheetHeight;
  heights: typeof sheetHeights;
  /** What the full screen shows. */
  content: 'createPackage' | null;
}

export const initialSheet: Sheet = {
  isOpen: true,
  isFullScreen: false,
  currentHeight: 'mid',
  heights: sheetHeights,
  content: null,
};

/** On sets the height to full, off sets it to mid. */
export function withFullScreen(sheet: Sheet, isFullScreen: boolean): Sheet {
  return isFullScreen
    ? { ...sheet, isFullScreen, currentHeight: 'full', content: 'createPackage' }
    : { ...sheet, isFullScreen, currentHeight: 'mid', content: null };
}

/** Sets mid and turns full-screen off. */
export function expandedToMid(sheet: Sheet): Sheet {
  return withFullScreen(sheet, false);
}

const order: readonly SheetHeight[] = ['collapsed', 'mid', 'full'];

/** One step up or down; the ends stay where they are. */
export function stepped(sheet: Sheet, direction: 'up' | 'down'): Sheet {
  const place = order.indexOf(sheet.currentHeight) + (direction === 'up' ? 1 : -1);
  const currentHeight = order[place];
  if (currentHeight === undefined) return sheet;
  if (currentHeight === 'full') return withFullScreen(sheet, true);
  return { ...sheet, currentHeight, isFullScreen: false, content: null };
}

/** After a drag of `distancePx` (negative is up): a step where it was more than the threshold. */
export function dragged(sheet: Sheet, distancePx: number): Sheet {
  if (Math.abs(distancePx) <= dragThresholdPx) return sheet;
  return stepped(sheet, distancePx < 0 ? 'up' : 'down');
}

export const sheetAtom = atom<Sheet>(initialSheet);

export const isSidebarOpenAtom = atom(false);
