/** What the sender tells the recipient, and when the app reminds of it. */

import { describe, expect, it } from 'vitest';
import type { PackageView } from '#domain/overlay.ts';
import { replacedMark } from '#domain/package.ts';
import type { Actor } from '#domain/policy.ts';
import {
  labelLinkOf,
  messageOf,
  type Telling,
  tellingOf,
} from '#features/package-detail/recipient-link-rules.ts';
import { noteKindOf, shownNote } from '#package-ui/recipient-note-rules.ts';
import { isUntold, newestUntold } from '#package-ui/reminder-rules.ts';
import { packageView, person } from './package-view.ts';

const trackingPath = '/t/abcdefghijklmnopqrstu-';
const origin = 'https://kaya.example';
const link = `${origin}${trackingPath}`;
const carried = { status: 'in-transit', courier: person('courier', 'Sani') } as const;
const sender: Actor = { id: 'sender', role: 'Customer', isProfileComplete: true };
const sent = (change: Partial<PackageView> = {}) =>
  packageView({ version: 1, packageId: 'KY-000042', trackingPath, ...change });

describe('the recipient’s link', () => {
  const plain = { link, code: null, isUnsent: false };
  const bare = { link: null, code: '572437', isUnsent: false };
  const unsent = { version: 0, packageId: '' };

  it.each<[string, Partial<PackageView>, Telling | null]>([
    ['on offer', {}, plain],
    ['carried', carried, plain],
    ['with a code', { dropoffCode: '572437' }, { ...plain, code: '572437' }],
    // The code is of no use.
    ['on its way back', { ...carried, progress: 'returning', dropoffCode: '572437' }, plain],
    ['not sent yet', { ...unsent, trackingPath: null }, { ...plain, link: null, isUnsent: true }],
    ['of a server without links', { dropoffCode: '572437', trackingPath: null }, bare],
    ['of a server without links and codes', { trackingPath: null }, null],
    ['delivered', { ...carried, status: 'delivered' }, null],
    ['cancelled', { status: 'cancelled' }, null],
  ])('of a package that is %s', (_, change, telling) => {
    expect(tellingOf(sender, sent(change), origin)).toEqual(telling);
  });

  it.each<[string, Actor, boolean]>([
    ['another sender', { ...sender, id: 'other' }, false],
    ['its courier', { ...sender, id: 'courier', role: 'Employee' }, false],
    ['a dispatcher', { ...sender, id: 'admin', role: 'Admin' }, true],
  ])('is for %s: %#', (_, actor, isShown) => {
    expect(tellingOf(actor, sent(carried), origin) !== null).toBe(isShown);
  });

  it('goes out with the number and the code, as one text message', () => {
    const text = messageOf(sent(), { link, code: '572437', isUnsent: false });
    expect(text).toBe(
      `Your package KY-000042 is coming with Kaya. Follow it: ${link}\nGive the courier this code at the door: 572 437`,
    );
    expect(text.length).toBeLessThanOrEqual(160);
    // Other letters halve what fits into a text message.
    expect(text).toMatch(/^[\w\s.:/-]+$/);
  });

  it.each<[string, Pick<Telling, 'link' | 'code'>, string]>([
    ['no code', { link, code: null }, `is coming with Kaya. Follow it: ${link}`],
    [
      'no link',
      { link: null, code: '572437' },
      'is coming with Kaya.\nGive the courier this code at the door: 572 437',
    ],
  ])('with %s the message leaves it out', (_, telling, end) => {
    const text = messageOf(sent(), { ...telling, isUnsent: false });
    expect(text).toBe(`Your package KY-000042 ${end}`);
  });

  it('is not on the label of a package whose code it would show to the courier', () => {
    const telling = { link, code: null, isUnsent: false };
    expect(labelLinkOf(sent({ handover: 'none' }), telling)).toBe(link);
    expect(labelLinkOf(sent({ handover: 'code' }), telling)).toBeNull();
  });
});

describe('the reminder', () => {
  const created = packageView().createdAt;
  const createdMs = Date.parse(created);
  const reminding = {
    actorId: 'sender',
    told: new Set<string>(),
    nowMs: createdMs + 60_000,
  };
  const dayMs = 24 * 60 * 60_000;

  it.each<[string, Partial<PackageView>, Partial<typeof reminding>, boolean]>([
    ['for a new package', {}, {}, true],
    ['for one that is to be picked up', { ...carried, progress: 'accepted' }, {}, true],
    ['not once the courier has it', { ...carried, progress: 'picked_up' }, {}, false],
    [
      'not once they wrote a note',
      { recipientNote: { kind: 'safe_place', text: '', at: created } },
      {},
      false,
    ],
    [
      'for a new link, also while it is carried',
      { ...carried, progress: 'picked_up' },
      { told: new Set([replacedMark(sent().id)]), nowMs: createdMs + 2 * dayMs },
      true,
    ],
    ['until it was sent from this phone', {}, { told: new Set([sent().id]) }, false],
    ['not before what was sent is known', {}, { told: undefined as never }, false],
    ['not before there is a link', { trackingPath: null }, {}, false],
    ['only to the sender', {}, { actorId: 'admin' }, false],
    ['almost for a day', {}, { nowMs: createdMs + dayMs - 1 }, true],
    ['not after a day', {}, { nowMs: createdMs + dayMs }, false],
    ['not on the way back', { ...carried, progress: 'returning' }, {}, false],
    ['not after the delivery', { ...carried, status: 'delivered' }, {}, false],
    ['not after the end', { status: 'cancelled' }, {}, false],
  ])('comes %s', (_, change, other, isDue) => {
    expect(isUntold(sent(change), { ...reminding, ...other })).toBe(isDue);
  });

  it('is of the newest package', () => {
    const older = sent({ id: 'older', createdAt: new Date(createdMs - 1000).toISOString() });
    const newer = sent({ id: 'newer' });
    expect(newestUntold([older, newer], reminding)?.id).toBe('newer');
    const told = new Set(['newer']);
    expect(newestUntold([older, newer], { ...reminding, told })?.id).toBe('older');
    expect(newestUntold([], reminding)).toBeUndefined();
  });
});

describe('a note of the recipient', () => {
  const recipientNote = { kind: 'safe_place', text: 'Leave it with security', at: '2027-01-15' };

  it.each<[string, Partial<PackageView>, boolean]>([
    ['on offer', {}, true],
    ['carried', carried, true],
    ['on its way back', { ...carried, progress: 'returning' }, false],
    ['delivered', { ...carried, status: 'delivered' }, false],
  ])('on a package that is %s', (_, change, isShown) => {
    const note = shownNote(sent({ ...change, recipientNote }));
    expect(note).toEqual(isShown ? recipientNote : null);
  });

  it('has a kind in words, unless a later version knows it', () => {
    expect(noteKindOf('safe_place')).toBe('A safe place');
    expect(noteKindOf('toString')).toBeNull();
    expect(noteKindOf(null)).toBeNull();
  });
});
