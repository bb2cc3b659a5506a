import { describe, expect, it } from 'vitest';
import { countByState } from '#data/use-outbox.ts';
import { account } from '#messages/en/account.ts';
import { app as shellWords } from '#messages/en/app.ts';

const waiting = { state: 'waiting' } as const;
const refused = { state: 'attention' } as const;

const signOutText = account.signOut.text;

describe('unconfirmed operations', () => {
  it('are counted separately when waiting and when refused', () => {
    expect(countByState([waiting, refused, waiting])).toEqual({ waiting: 2, attention: 1 });
  });

  it('are promised to be sent at log-out only if waiting', () => {
    expect(signOutText({ waiting: 1, attention: 0 })).toMatch(/^1 change has not been sent yet\./);
    const text = signOutText({ waiting: 0, attention: 2 });
    expect(text).toContain('2 changes were refused and need your attention.');
    expect(text).not.toContain('sent yet');
    expect(signOutText({ waiting: 2, attention: 1 })).toContain(
      'sent the next time you sign in here. 1',
    );
  });

  it("are distinguished in the tab's name", () => {
    const { undone } = shellWords.tabs;
    expect(undone({ waiting: 2, attention: 1 })).toBe('2 not sent yet, 1 needs attention');
    expect(undone({ waiting: 0, attention: 3 })).toBe('3 need attention');
  });
});
