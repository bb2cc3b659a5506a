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
    ['the number without zeros', 'ky-42'],
    ['the number without a hyphen', 'KY000042'],
    ['the number with a dash', 'KY–42'],
    ['the number with a hyphen that does not break', 'KY\u2011000042'],
    ['the number with its sign', '#42'],
    ['the number at the end of a sentence', 'KY-000042.'],
    ['a part of the number', '42'],
    ['words with commas', 'Zaïnab, Amina; zoo.'],
    ['words in quotes', '“zoo road”'],
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

  const called = {
    ...cloth,
    recipientPhone: '+2348057654321',
    sender: { ...cloth.sender, phoneNumber: '0803 123 4567' },
    courier: { ...party('courier', 'Sani'), phoneNumber: '+442079460958' },
  };
  it.each([
    ...['+2348057654321', '2348057654321', '08057654321', '8057654321'],
    ...['+234 805 765 4321', '0805-765-4321', '(0805) 765 4321', '+234 (0)805 765 4321'],
    ...['+234 0805 765 4321', '00234 805 765 4321', '0805 – 765 – 4321', '0805.765/4321'],
    // Parts: the beginning, the middle, the last digits.
    ...['0805 765', '+234805', '7654', '4321', '654 321'],
    // The sender's, as an older row spells it, and the courier's from abroad.
    ...['+2348031234567', '0803 123', '4567', '+44 20 7946', '020 7946 0958', '0044 2079460958'],
    // With other words.
    ...['08057654321,', '0805 765 4321.', '0803 123 4567; zoo', '٠٨٠٥٧٦٥٤٣٢١،'],
    ...['zainab 0805 765', '4321 cloth', 'cloth 0803 123 4567 zoo'],
  ])('finds by the phone %s', (query) => {
    expect(searchPackages([called], query)).toHaveLength(1);
  });

  it.each([
    // Too short for a number, or another.
    ...['805', '+2348057654322', '0805 765 4321 9', 'musa 0805 765 4321'],
    // No number goes on in the next.
    ...['432108031', '43212348031'],
  ])('finds nothing by the phone %s', (query) => {
    expect(searchPackages([called], query)).toEqual([]);
  });

  it('needs no phone: it may be withheld', () => {
    const withheld = {
      ...called,
      recipientPhone: '',
      sender: { ...called.sender, phoneNumber: null },
    };
    expect(searchPackages([withheld], '0805 765')).toEqual([]);
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

describe('text as it is searched', () => {
  it.each([
    ['Ƙofar MÀTA ɓ’', 'kofar mata b'],
    ["Sha'aibu", 'shaaibu'],
    ...[...'‘’ʼ`´ʻ‛ʹʾʿ′ꞌˈˊˋˮ՚׳ߴꞋ＇‵'].map((mark) => [`Sha${mark}aibu`, 'shaaibu']),
    ['Ọlọ́ṣun Ẹ̀kọ́', 'olosun eko'],
    ['Ụ̀lọ̀ akwụkwọ Ṅwa', 'ulo akwukwo nwa'],
    ['Ŋala Ǝmir əmir', 'nala emir emir'],
    ['ƁƊƘƳ ɓɗƙƴ', 'bdky bdky'],
    ['Łódź Bjørn Straße Đorđe Isparta ıI İ', 'lodz bjorn strasse dorde isparta ii i'],
    ['Ægir œuvre ﬁn', 'aegir oeuvre fin'],
    ['Mu\u200dsa\u200e Zo\u00ado', 'musa zoo'],
    ['０８０３ ٠٨٠٣', '0803 0803'],
    ['plain <b> text', 'plain <b> text'],
  ])('%s → %s', (text, plain) => {
    expect(plainText(text)).toBe(plain);
    expect(plainText(plainText(text))).toBe(plain);
  });
});

it('a name is found however its apostrophe is written, in the row or in the query', () => {
  const named = (recipientName: string) => [aPackage({ id: recipientName, recipientName })];
  const spellings = [
    "Sha'aibu",
    'Shaaibu',
    'Sha’aibu',
    'SHAʼAIBU',
    'shaʻaibu',
    'Sha`aibu',
    'Shaˈaibu',
  ];
  for (const stored of spellings) {
    for (const typed of spellings) expect(searchPackages(named(stored), typed)).toHaveLength(1);
  }
});
