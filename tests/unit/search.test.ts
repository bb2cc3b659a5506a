import { describe, expect, it } from 'vitest';
import { plainText, searchPackages } from '#domain/search.ts';
import { aPackage, party } from '#tests/builders/package.ts';

const cloth = aPackage({
  id: 'cloth',
  packageId: 'KY-000042',
  description: 'Two bolts of indigo cloth',
  recipientName: 'Zaïnab Ɗanjuma',
  sender: party('sender', 'Amina'),
  courier: party('courier', 'Sani'),
  pickupAddress: '12 Ƙofar Mata Road, Kano',
  deliveryAddress: '4 Zoo Road',
  status: 'in-transit',
});
const other = aPackage({
  id: 'other',
  packageId: 'KY-000043',
  description: 'Spare parts',
  sender: party('another', 'Musa'),
  pickupAddress: '7 Airport Road, Kano',
  deliveryAddress: '9 Lodge Road, Kano',
});

const found = (query: string) => searchPackages([cloth, other], query).map(({ id }) => id);

describe('search', () => {
  it.each([
    ['the number', 'KY-000042'],
    ['the number without hyphen and zeros', 'ky42'],
    ['a part of the number', '42'],
    ['the recipient, without accents and hooks', 'zainab danjuma'],
    ['the sender', 'AMINA'],
    ['the courier', 'sani'],
    ['the pickup address', 'kofar mata'],
    ['the delivery address', 'zoo'],
    ['the status', 'in transit'],
    ['words in any order, from different fields', 'cloth amina zoo'],
    ['words in the order of the fields', 'Zaïnab Ɗanjuma Amina'],
    ['decomposed accents', 'zai\u0308nab'],
  ])('finds by %s', (_, query) => {
    expect(found(query)).toEqual(['cloth']);
  });

  it('returns the same list for an empty query', () => {
    const all = [cloth, other];
    expect(searchPackages(all, '  ')).toBe(all);
  });

  it.each([
    // Each word has to be found, within one field.
    ...['cloth parts', 'danjumaamina'],
    ...['<b>', '😀', '\u202eabc', '(', '\\', 'x'.repeat(10_000)],
  ])('finds nothing by %j', (query) => {
    expect(found(query)).toEqual([]);
  });

  it('indexes a changed package again', () => {
    expect(searchPackages([cloth], 'sweets')).toEqual([]);
    expect(searchPackages([{ ...cloth, description: 'Sweets' }], 'sweets')).toHaveLength(1);
  });
});

it('normalized text has no case, accents or hooks', () => {
  expect(plainText('Ƙofar MÀTA ɓ’')).toBe("kofar mata b'");
});
