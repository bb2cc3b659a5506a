/** The home screen's bottom sheet. Transitions are pure. */
import { atom } from 'jotai';

/** Percentage of the viewport height. */
export const sheetHeights = { collapsed: 18, mid: 32, full: 100 } as const;
export type SheetHeight = keyof typeof sheetHeights;

/** A longer drag changes the height. */
export const dragThresholdPx = 100;

export interface Sheet {
  isOpen: boolean;
  isFullScreen: boolean;
  currentHeight: SheetHeight;
  heights: typeof sheetHeights;
  content: 'createPackage' | null;
}

export const initialSheet: Sheet = {
  isOpen: true,
  isFullScreen: false,
  currentHeight: 'mid',
  heights: sheetHeights,
  content: null,
};

/** True sets the height to full, false to mid. */
export function withFullScreen(sheet: Sheet, isFullScreen: boolean): Sheet {
  return isFullScreen
    ? { ...sheet, isFullScreen, currentHeight: 'full', content: 'createPackage' }
    : { ...sheet, isFullScreen, currentHeight: 'mid', content: null };
}

export function expandedToMid(sheet: Sheet): Sheet {
  return withFullScreen(sheet, false);
}

const order: readonly SheetHeight[] = ['collapsed', 'mid', 'full'];

/** One step up or down, clamped. */
export function stepped(sheet: Sheet, direction: 'up' | 'down'): Sheet {
  const place = order.indexOf(sheet.currentHeight) + (direction === 'up' ? 1 : -1);
  const currentHeight = order[place];
  if (currentHeight === undefined) return sheet;
  if (currentHeight === 'full') return withFullScreen(sheet, true);
  return { ...sheet, currentHeight, isFullScreen: false, content: null };
}

/** One step if the drag exceeds the threshold; negative `distancePx` is up. */
export function dragged(sheet: Sheet, distancePx: number): Sheet {
  if (Math.abs(distancePx) <= dragThresholdPx) return sheet;
  return stepped(sheet, distancePx < 0 ? 'up' : 'down');
}

export const sheetAtom = atom<Sheet>(initialSheet);

export const isSidebarOpenAtom = atom(false);
