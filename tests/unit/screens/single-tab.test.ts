import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSingleTab, type SingleTab } from '#app/background/single-tab.ts';

/** A page's visibility; without Web Locks, as over plain HTTP. */
function stubPage() {
  const page = Object.assign(new EventTarget(), {
    visibilityState: 'visible',
    hasFocus: () => true,
  });
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', {});
  return {
    show(visibilityState: 'visible' | 'hidden') {
      page.visibilityState = visibilityState;
      page.dispatchEvent(new Event('visibilitychange'));
    },
  };
}

describe('a message for one tab only', () => {
  let page: ReturnType<typeof stubPage>;
  let singleTab: SingleTab;
  let otherTab: BroadcastChannel;
  const said: string[] = [];
  const say = (id: string, canWait: boolean) =>
    singleTab.once(id, () => said.push(id), { canWait });

  beforeEach(() => {
    said.length = 0;
    page = stubPage();
    singleTab = createSingleTab('amina');
    otherTab = new BroadcastChannel('kaya-said-amina');
  });
  afterEach(() => {
    singleTab.stop();
    otherTab.close();
    vi.unstubAllGlobals();
  });

  it('is shown immediately by a visible tab, which informs the others', async () => {
    const heard = new Promise((resolve) => {
      otherTab.onmessage = ({ data }) => resolve(data);
    });
    say('done-1', false);
    expect(said).toEqual(['done-1']);
    expect(await heard).toBe('done-1');
  });

  it('waits for a tab to become visible', () => {
    page.show('hidden');
    say('done-1', false);
    say('refused-2', true);
    expect(said).toEqual([]);
    page.show('visible');
    page.show('hidden');
    page.show('visible');
    expect(said).toEqual(['refused-2']);
  });

  it('is not repeated if another tab has shown it since', async () => {
    page.show('hidden');
    say('refused-1', true);
    say('refused-2', true);
    // This tab's own channel receives the same messages in the same order.
    const witness = new BroadcastChannel('kaya-said-amina');
    const heard = new Promise((resolve) => {
      witness.onmessage = resolve;
    });
    otherTab.postMessage('refused-1');
    await heard;
    witness.close();
    page.show('visible');
    expect(said).toEqual(['refused-2']);
  });
});
