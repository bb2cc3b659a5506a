/** What is missing at the door, and what is given. */
import { describe, expect, it } from 'vitest';
import { codeComplaint, missingOf, proofGiven } from '#features/delivery/handover-rules.ts';
import { isRightToken, tokenOf } from '#features/delivery/scanned-code.ts';
import { proof as words } from '#messages/en/proof.ts';
import { noDelivery } from '#state/delivery-draft.ts';

const right = '572437';
const photo = { id: 'p1', kind: 'photo' } as const;
const signature = { id: 's1', kind: 'signature' } as const;
const shown = { way: 'photo', relation: 'neighbour', recipientName: ' Hauwa ' };
const byCode = { handover: 'code', isCashDue: false } as const;
const draft = (changes: Partial<typeof noDelivery>) => ({ ...noDelivery, ...changes });

describe('a code', () => {
  it.each([
    ['', undefined],
    ['57243', undefined],
    [right, undefined],
    ['572438', words.code.wrongDigit],
    ['752437', words.code.wrongDigit],
  ])('%s is complained of as it is typed: %s', (code, complaint) => {
    expect(codeComplaint(code)).toBe(complaint);
  });

  it('scanned is the token of one of ours, compared by its hash', async () => {
    const token = 'abcdefghijklmnopqrstu-';
    expect(tokenOf(`KAYA1:${token}\n`)).toBe(token);
    expect(tokenOf('https://example.com')).toBeNull();
    expect(tokenOf('KAYA1:short')).toBeNull();
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
    const hash = Buffer.from(digest).toString('base64url');
    expect(await isRightToken(token, hash)).toBe(true);
    expect(await isRightToken(token.toUpperCase(), hash)).toBe(false);
  });
});

describe('what is missing', () => {
  it.each([
    ['without the code', draft({}), [], { code: words.code.missing }],
    ['with a wrong one', draft({ code: '572438' }), [], { code: words.code.wrongDigit }],
    ['with the right one', draft({ code: right }), [], {}],
    ['scanned', draft({ qr: 'x' }), [], {}],
    [
      'nothing shown',
      draft({ way: 'photo' }),
      [signature],
      {
        photo: words.photos.needed,
        relation: words.who.noRelation,
        recipientName: words.who.noName,
      },
    ],
    ['all shown', draft(shown), [photo], {}],
  ])('of a package with a code, %s', (_, given, pictures, missing) => {
    expect(missingOf(given, pictures, byCode)).toEqual(missing);
  });

  it('of one without a code is nothing but the answer about the cash', () => {
    const needs = { handover: 'none', isCashDue: true } as const;
    expect(missingOf(draft({}), [], needs)).toEqual({ cash: words.cash.missing });
    expect(missingOf(draft({ isCashCollected: false }), [], needs)).toEqual({});
  });

  it('of a return is the sender’s code, whatever was begun of a delivery', () => {
    const needs = { handover: 'return', isCashDue: false } as const;
    expect(missingOf(draft(shown), [photo], needs)).toEqual({ code: words.code.missing });
  });
});

describe('what is given', () => {
  it.each([
    ['the code', draft({ code: right }), [], { code: right }],
    ['the scan, without a code', draft({ qr: 'token' }), [], { qr: 'token' }],
    [
      'who took it and the pictures',
      draft({ ...shown, code: '12' }),
      [photo, signature],
      { recipientName: 'Hauwa', relation: 'neighbour', photoIds: ['p1'], signatureId: 's1' },
    ],
  ])('%s', (_, given, pictures, proof) => {
    expect(proofGiven(given, pictures, byCode)).toEqual(proof);
  });
});
