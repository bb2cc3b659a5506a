/** A form waits for what it holds that is still being made, and never leaves it out. */
import { describe, expect, it } from 'vitest';
import { type Finish, finishAll } from '#ui/form-parts.ts';

const nothing: Finish = () => null;
const made: Finish = () => Promise.resolve(true);
const failed: Finish = () => Promise.resolve(false);
const broken: Finish = () => Promise.reject(new Error('The worker has ended.'));

describe('what a form holds', () => {
  it.each([
    ['no parts', []],
    ['parts with nothing in the making', [nothing, nothing]],
  ])('with %s it is submitted at once', (_, parts) => {
    expect(finishAll(parts)).toBeNull();
  });

  it.each([
    ['all parts are made', [made, nothing, made], true],
    ['one of them fails', [made, failed], false],
    ['one of them breaks', [broken, made], false],
  ])('says whether %s', async (_, parts, areMade) => {
    expect(await finishAll(parts)).toBe(areMade);
  });

  it('is waited for to the last part', async () => {
    let resolve: (isMade: boolean) => void = () => undefined;
    const promise = new Promise<boolean>((done) => {
      resolve = done;
    });
    const seen: string[] = [];
    const waiting = finishAll([made, () => promise])?.then(() => seen.push('submitted'));
    await Promise.resolve();
    seen.push('made');
    resolve(true);
    await waiting;
    expect(seen).toEqual(['made', 'submitted']);
  });
});
