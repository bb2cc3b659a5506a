/** 'Sani Abubakar, Hauwa Danjuma' → names. */
const people = (names: string) =>
  names.split(',').map((name) => {
    const [firstName = '', lastName = ''] = name.trim().split(' ');
    return { firstName, lastName };
  });

export const couriers = people('Sani Abubakar, Hauwa Danjuma, Tanko Yusuf, Rabiu Garba');

export const senders = people(`
  Amina Bello, Musa Ibrahim, Zainab Sule, Ibrahim Dantata, Fatima Usman, Yakubu Lawan,
  Maryam Aliyu, Nasiru Kabir, Hadiza Shehu, Bashir Tijjani, Aisha Muhammad, Kabiru Sani,
  Safiya Inuwa, Umar Farouk, Rukayya Ado, Isah Gambo, Khadija Bayero, Auwal Hamisu,
  Binta Rabilu, Chinedu Okafor
`);

/** Approximate positions; two have no pin. */
export const places = [
  { address: 'Kurmi Market, Kofar Mata gate', pin: { lat: 11.9954, lng: 8.5124 } },
  { address: '12 Kofar Mata Road, Dala', pin: { lat: 11.9922, lng: 8.5249 } },
  { address: 'Kantin Kwari Textile Market, Line 4', pin: { lat: 12.0003, lng: 8.5252 } },
  { address: '27 Ibrahim Taiwo Road, Fagge', pin: { lat: 12.0072, lng: 8.5283 } },
  { address: 'Sabon Gari Market, France Road', pin: { lat: 12.0094, lng: 8.5355 } },
  { address: '8 Bompai Road, Nassarawa GRA', pin: { lat: 12.0098, lng: 8.5527 } },
  { address: '41 Zoo Road, Gandun Albasa', pin: { lat: 11.9702, lng: 8.5434 } },
  { address: 'Bayero University, New Site, Gwarzo Road', pin: { lat: 11.9789, lng: 8.4282 } },
  { address: '5 Lamido Crescent, Nassarawa', pin: { lat: 11.9945, lng: 8.548 } },
  { address: 'Ado Bayero Mall, Zoo Road', pin: { lat: 11.9719, lng: 8.5329 } },
  { address: '19 Zaria Road, Gyadi-Gyadi', pin: { lat: 11.9641, lng: 8.5331 } },
  { address: 'Aminu Kano Teaching Hospital, Zaria Road', pin: { lat: 11.9655, lng: 8.5456 } },
  { address: '33 Hadejia Road, Yankaba', pin: { lat: 12.0226, lng: 8.5735 } },
  { address: 'Kofar Ruwa Motor Park, shed 7', pin: { lat: 12.0157, lng: 8.4989 } },
  { address: 'Dawanau Grain Market, store 112', pin: { lat: 12.0824, lng: 8.4364 } },
  { address: '3 Audu Bako Way, Nassarawa', pin: { lat: 12.0016, lng: 8.5449 } },
  { address: 'Rimi Market, behind the Central Mosque', pin: { lat: 11.9923, lng: 8.5177 } },
  { address: '66 Murtala Muhammad Way, Kano', pin: { lat: 12.0067, lng: 8.5418 } },
  { address: 'Sharada Industrial Estate, Phase II', pin: { lat: 11.958, lng: 8.502 } },
  { address: 'Challawa Gorge Road, Panshekara', pin: null },
  { address: '14 Sani Abacha Way, Fagge', pin: null },
  { address: 'Brigade Quarters, block C', pin: { lat: 12.0196, lng: 8.554 } },
  { address: 'Tarauni Market, Maiduguri Road', pin: { lat: 11.9737, lng: 8.5621 } },
  {
    address: 'Malam Aminu Kano International Airport, cargo shed',
    pin: { lat: 12.0439, lng: 8.5247 },
  },
] as const;

export const goods = [
  'Two bolts of indigo cloth from the Kofar Mata dye pits',
  'Embroidered babban riga, wrapped',
  'Carton of exercise books',
  'Bag of groundnuts, 25 kg',
  'Phone screen, handle with care',
  'Wedding invitation cards, 300 pieces',
  'Leather sandals, 12 pairs',
  'Medicine from the teaching hospital pharmacy, keep cool',
  'Laptop in its box',
  'Spare parts for a Bajaj motorcycle',
  'Birthday cake, keep upright',
  'School uniforms, three sets',
  'Sewing machine head',
  'Documents for signature',
  'Bale of Ankara fabric',
  'Box of dates from the airport',
] as const;

/** Adjustments by the dispatcher: `index` into couriers or senders, `amount` in naira. */
export const corrections = [
  { day: 3, who: 'sender', index: 2, amount: 500, reason: 'Goodwill for a box that came wet' },
  {
    day: 5,
    who: 'courier',
    index: 0,
    amount: 1500,
    reason: 'Fuel for the trip to Dawanau, agreed',
  },
  // Less than day 5 added: which payouts exist by then depends on the hour of the day.
  { day: 8, who: 'courier', index: 0, amount: -700, reason: 'Cash kept by mistake, set off' },
] as const;
