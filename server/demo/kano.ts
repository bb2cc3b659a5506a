/** A believable Kano: who lives in the demo, what they send and between which places. */

export const couriers = [
  { firstName: 'Sani', lastName: 'Abubakar' },
  { firstName: 'Hauwa', lastName: 'Danjuma' },
  { firstName: 'Tanko', lastName: 'Yusuf' },
  { firstName: 'Rabiu', lastName: 'Garba' },
] as const;

export const senders = [
  { firstName: 'Amina', lastName: 'Bello' },
  { firstName: 'Musa', lastName: 'Ibrahim' },
  { firstName: 'Zainab', lastName: 'Sule' },
  { firstName: 'Ibrahim', lastName: 'Dantata' },
  { firstName: 'Fatima', lastName: 'Usman' },
  { firstName: 'Yakubu', lastName: 'Lawan' },
  { firstName: 'Maryam', lastName: 'Aliyu' },
  { firstName: 'Nasiru', lastName: 'Kabir' },
  { firstName: 'Hadiza', lastName: 'Shehu' },
  { firstName: 'Bashir', lastName: 'Tijjani' },
  { firstName: 'Aisha', lastName: 'Muhammad' },
  { firstName: 'Kabiru', lastName: 'Sani' },
  { firstName: 'Safiya', lastName: 'Inuwa' },
  { firstName: 'Umar', lastName: 'Farouk' },
  { firstName: 'Rukayya', lastName: 'Ado' },
  { firstName: 'Isah', lastName: 'Gambo' },
  { firstName: 'Khadija', lastName: 'Bayero' },
  { firstName: 'Auwal', lastName: 'Hamisu' },
  { firstName: 'Binta', lastName: 'Rabilu' },
  { firstName: 'Chinedu', lastName: 'Okafor' },
] as const;

export const places = [
  'Kurmi Market, Kofar Mata gate',
  '12 Kofar Mata Road, Dala',
  'Kantin Kwari Textile Market, Line 4',
  '27 Ibrahim Taiwo Road, Fagge',
  'Sabon Gari Market, France Road',
  '8 Bompai Road, Nassarawa GRA',
  '41 Zoo Road, Gandun Albasa',
  'Bayero University, New Site, Gwarzo Road',
  '5 Lamido Crescent, Nassarawa',
  'Ado Bayero Mall, Zoo Road',
  '19 Zaria Road, Gyadi-Gyadi',
  'Aminu Kano Teaching Hospital, Zaria Road',
  '33 Hadejia Road, Yankaba',
  'Kofar Ruwa Motor Park, shed 7',
  'Dawanau Grain Market, store 112',
  '3 Audu Bako Way, Nassarawa',
  'Rimi Market, behind the Central Mosque',
  '66 Murtala Muhammad Way, Kano',
  'Sharada Industrial Estate, Phase II',
  'Challawa Gorge Road, Panshekara',
  '14 Sani Abacha Way, Fagge',
  'Brigade Quarters, block C',
  'Tarauni Market, Maiduguri Road',
  'Malam Aminu Kano International Airport, cargo shed',
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

/** What the dispatcher put right by hand; `index` in the list of couriers or senders, naira. */
export const corrections = [
  { day: 3, who: 'sender', index: 2, amount: 500, reason: 'Goodwill for a box that came wet' },
  {
    day: 5,
    who: 'courier',
    index: 0,
    amount: 1500,
    reason: 'Fuel for the trip to Dawanau, agreed',
  },
  { day: 8, who: 'courier', index: 2, amount: -700, reason: 'Cash kept by mistake, set off' },
] as const;
