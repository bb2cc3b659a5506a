import { describe, expect, it } from 'vitest';
import {
  dragged,
  expandedToMid,
  initialSheet,
  type Sheet,
  sheetHeights,
  stepped,
  withFullScreen,
} from '#state/sheet.ts';

const at = (sheet: Sheet) => [sheet.currentHeight, sheet.isFullScreen];
const collapsed = stepped(initialSheet, 'down');
const full = withFullScreen(initialSheet, true);

describe('the bottom sheet', () => {
  it('has the three specified heights and starts at the middle one', () => {
    expect(sheetHeights).toEqual({ collapsed: 18, mid: 32, full: 100 });
    expect(at(initialSheet)).toEqual(['mid', false]);
  });

  it('goes to full when full screen is turned on, and to mid when it is turned off', () => {
    expect(at(full)).toEqual(['full', true]);
    expect(full.content).toBe('createPackage');
    expect(at(withFullScreen(full, false))).toEqual(['mid', false]);
    expect(withFullScreen(full, false).content).toBeNull();
  });

  it('expands to mid from either end and leaves full screen', () => {
    expect(at(expandedToMid(full))).toEqual(['mid', false]);
    expect(at(expandedToMid(collapsed))).toEqual(['mid', false]);
  });

  it.each([100, -100, 0, 40])('stays in place after a drag of %i px', (distancePx) => {
    expect(dragged(initialSheet, distancePx)).toBe(initialSheet);
  });

  it('moves one height after a drag of more than 100 px, however long', () => {
    expect(at(dragged(initialSheet, -101))).toEqual(['full', true]);
    expect(at(dragged(initialSheet, 101))).toEqual(['collapsed', false]);
    expect(at(dragged(collapsed, -600))).toEqual(['mid', false]);
    expect(at(dragged(full, 600))).toEqual(['mid', false]);
  });

  it('stops at its ends', () => {
    expect(at(dragged(full, -300))).toEqual(['full', true]);
    expect(at(dragged(collapsed, 300))).toEqual(['collapsed', false]);
  });
});
