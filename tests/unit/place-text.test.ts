/** Places in what people paste: links of map apps, geo: URIs, degrees and plus codes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceMeters } from '#domain/distance.ts';
import type { PackageForm } from '#domain/package-fields.ts';
import { hasUnread, readPlace, withPlaces } from '#domain/place-text.ts';

const there = { lat: 12.0022, lng: 8.5919 };
const read = readPlace;

describe('the place is read of', () => {
  it.each([
    // Google Maps.
    ['https://www.google.com/maps/@12.0022,8.5919,17z', ''],
    ['https://www.google.com/maps?q=12.0022,8.5919', ''],
    ['https://maps.google.com/maps?q=loc:12.0022,8.5919', ''],
    ['https://maps.google.com/?ll=12.0022,8.5919&z=16', ''],
    ['https://www.google.com/maps/search/?api=1&query=12.0022%2C8.5919', ''],
    ['https://www.google.com/maps/dir/?api=1&destination=12.0022,8.5919', ''],
    ['https://www.google.com.ng/maps/dir/12.1,8.6/12.0022,8.5919/@12.1,8.6,14z', ''],
    ['https://www.google.com/maps/search/12.0022,+8.5919?entry=tts', ''],
    ['https://maps.google.com/maps?q=12.0022,8.5919(Kurmi+Market)&z=14', 'Kurmi Market'],
    ['https://www.google.com/maps/place/Kurmi+Market/@12.0022,8.5919,17z', 'Kurmi Market'],
    [
      'https://www.google.com/maps/dir//Kurmi+Market/@12.1,8.6/data=!4m8!1m5!1m1!1s0x0!2m2!1d8.5919!2d12.0022',
      '',
    ],
    [
      'https://www.google.com/maps/place/Kurmi+Market/@12.1,8.6,17z/data=!3m1!4b1!4m6!8m2!3d12.0022!4d8.5919',
      'Kurmi Market',
    ],
    [`https://www.google.com/maps/place/12%C2%B000'07.9%22N+8%C2%B035'30.8%22E/`, ''],
    // Others.
    ['https://maps.apple.com/?ll=12.0022,8.5919&q=Kurmi%20Market', 'Kurmi Market'],
    ['https://maps.apple.com/place?coordinate=12.0022,8.5919&name=Kurmi', 'Kurmi'],
    ['https://www.openstreetmap.org/?mlat=12.0022&mlon=8.5919#map=15/12.1/8.6', ''],
    ['https://www.openstreetmap.org/#map=15/12.0022/8.5919', ''],
    ['https://waze.com/ul?ll=12.0022%2C8.5919&navigate=yes', ''],
    ['https://www.openstreetmap.org/directions?from=12.1,8.6&to=12.0022,8.5919', ''],
    ['https://www.waze.com/live-map/directions?to=ll.12.0022%2C8.5919', ''],
    ['https://maps.apple.com/?saddr=12.1,8.6&daddr=12.0022,8.5919', ''],
    ['https://www.bing.com/maps?cp=12.0022~8.5919&lvl=16', ''],
    ['https://www.bing.com/maps?sp=point.12.0022_8.5919_Kurmi', ''],
    ['https://share.here.com/l/12.0022,8.5919', ''],
    // What phones share.
    ['geo:12.0022,8.5919', ''],
    ['geo:12.0022,8.5919;u=35?z=16', ''],
    ['geo:0,0?q=12.0022,8.5919(Kurmi%20Market)', 'Kurmi Market'],
    ['geo:12.1,8.6?q=12.0022,8.5919', ''],
    ['geo:12.0022,8.5919,470?q=Kurmi%20Market', 'Kurmi Market'],
    ['Kurmi Market https://maps.google.com/?q=12.0022,8.5919', 'Kurmi Market'],
    ['Gate 2 (geo:12.0022,8.5919), blue door', 'Gate 2, blue door'],
    // Degrees.
    ['12.0022, 8.5919', ''],
    ['(12.0022, 8.5919)', ''],
    ['[12.0022 8.5919]', ''],
    ['{12.0022/8.5919}', ''],
    ['12.0022;8.5919', ''],
    ['12,0022; 8,5919', ''],
    ['12,0022, 8,5919', ''],
    ['12,0022° N 8,5919° E', ''],
    [`12°00'07,92"N 8°35'30,84"E`, ''],
    ['Lat: 12.0022 Long: 8.5919', ''],
    ['12.0022 N, 8.5919 E', ''],
    ['12.0022°N 8.5919°E', ''],
    ['N 12.0022 E 8.5919', ''],
    ['8.5919 E, 12.0022 N', ''],
    ['12.0022° 8.5919°', ''],
    [`12°00'07.92"N 8°35'30.84"E`, ''],
    ['12° 00′ 07.92″ N, 8° 35′ 30.84″ E', ''],
    ['12º00’07.92” N 8º35’30.84” E', ''],
    ["12° 0' 7.92'' 8° 35' 30.84''", ''],
    ['12d 0m 7.92s N 8d 35m 30.84s E', ''],
    ['12 deg 0 min 7.92 sec N, 8 deg 35 min 30.84 sec E', ''],
    ['12 00 07.92 N 8 35 30.84 E', ''],
    ['12:00:07.92N 8:35:30.84E', ''],
    ['N12 00.132 E8 35.514', ''],
    ['12° 00.132 N, 8° 35.514 E', ''],
    ['Longitude 8.5919, latitude 12.0022', ''],
    ['No 4 12.0022 N, 8.5919 E', 'No 4'],
    ["12°0.132'N 8°35.514'E", ''],
    ['１２.００２２，８.５９１９', ''],
    ['١٢٫٠٠٢٢، ٨٫٥٩١٩', ''],
    ['\u202a12.0022, 8.5919\u202c', ''],
    ['Gate 2, Zoo Road (12.0022, 8.5919)', 'Gate 2, Zoo Road'],
    ['4 Zoo Road 12.0022,8.5919', '4 Zoo Road'],
    // One letter or label is enough, where it can only be of one number.
    ['8.5919, 12.0022N', ''],
    ['8.5919, 12.0022 N, Kano', 'Kano'],
    ['8.5919E, 12.0022', ''],
    ['8.5919 E, 12.0022', ''],
    ['8.5919, N 12.0022', ''],
    ['E 8.5919, 12.0022', ''],
    ['8.5919 N12.0022', ''],
    [`8°35'30.84" 12°0'7.92" N`, ''],
    ['12.0022, 8.5919 East', ''],
    ['12.0022 north, 8.5919 east', ''],
    ['N12.0022E8.5919', ''],
    ['12.0022N8.5919E', ''],
    ['Block W 12.0022 N, 8.5919 E', 'Block W'],
    ['Lat 12.0022 N, Long 8.5919 E', ''],
    ['Lat: 12.0022, 8.5919', ''],
    // In the order that is said.
    ['lon,lat: 8.5919,12.0022', ''],
    ['Longitude/Latitude = 8.5919, 12.0022', ''],
    ['lat, long: 12.0022, 8.5919', ''],
    ['LatLng(12.0022, 8.5919)', ''],
    ['lng_lat (8.5919 12.0022)', ''],
    ['lat=12.0022&lon=8.5919', ''],
    ['Meeting point (12.0022, 8.5919)', 'Meeting point'],
    // Several spellings of one place.
    [`12.0022, 8.5919 (12°0'7.9"N 8°35'30.8"E)`, `(12°0'7.9"N 8°35'30.8"E)`],
    ['https://maps.google.com/?q=12.0022,8.5919 7F4C2H2R+VQ', '7F4C2H2R+VQ'],
    // As people copy and apps write links without https.
    ['www.google.com/maps?q=12.0022,8.5919', ''],
    ['Gate 2: maps.google.com/?q=12.0022,8.5919', 'Gate 2'],
    ['google.com/maps/place/Shop/@12.1,8.6,17z/data=!4m6!8m2!3d12.0022!4d8.5919', 'Shop'],
    ['HTTP://WWW.GOOGLE.COM/maps/dir/12.1,8.6/12.0022,8.5919', ''],
    ['maps.google.com/maps?saddr=12.1,8.6&daddr=12.0022,8.5919', ''],
    ['openstreetmap.org/#map=15/12.0022/8.5919', ''],
    ['comgooglemaps://?saddr=12.1,8.6&daddr=12.0022,8.5919', ''],
    ['comgooglemaps-x-callback://?center=12.0022,8.5919&zoom=14', ''],
    ['maps://?daddr=12.0022,8.5919', ''],
    ['waze://?ll=12.0022,8.5919&navigate=yes', ''],
    ['google.navigation:q=12.0022,8.5919&mode=d', ''],
    ['om://map?v=1&ll=12.0022,8.5919&n=Kurmi', ''],
    // Parts of links, of which a place is the whole.
    ['https://maps.google.com/?q=8.5919,12.0022N', ''],
    ['https://www.google.com/maps/search/?api=1&query=12.0022+8.5919', ''],
    ['https://maps.google.com/?q=12,0022;8,5919+(Kurmi)', 'Kurmi'],
    ['https://share.here.com/l/12.0022,8.5919,Kurmi%20Market?z=16', ''],
    ['https://wego.here.com/?map=12.0022,8.5919,15,normal', ''],
    // Ends of routes.
    ['https://www.openstreetmap.org/directions?route=12.1,8.6;12.0022,8.5919#map=7/12.1/8.6', ''],
    ['https://www.bing.com/maps?rtp=pos.12.1_8.6_Home~pos.12.0022_8.5919_Kurmi&cp=12.1~8.6', ''],
    ['https://www.bing.com/maps?rtp=~pos.12.0022_8.5919', ''],
    ['https://wego.here.com/directions/mix/Lagos:6.5,3.3/Kano:12.0022,8.5919?map=9.3,6,7', ''],
    ['https://www.google.com/maps/dir//12.0022,8.5919/', ''],
    // Plus codes.
    ['7F4C2H2R+VQ', ''],
    ['7f4c2h2r+vq Kano', 'Kano'],
    ['Musa’s shop, 7F4C2H2R+VQ4, Kano', 'Musa’s shop, Kano'],
  ])('%s, with the words %j', (text, words) => {
    const place = read(text);
    expect(place?.words).toBe(words);
    expect(distanceMeters(place?.location ?? { lat: 0, lng: 0 }, there)).toBeLessThan(12);
  });

  it.each([
    ['-33.8568, 151.2153', -33.8568, 151.2153],
    ['33.8568 S 151.2153 E', -33.8568, 151.2153],
    ['33.8568 S, 151.2153', -33.8568, 151.2153],
    ['33.8568 South, 151.2153 East', -33.8568, 151.2153],
    [`33°51'24.5 S, 151°12'55.1 E`, -33.8568, 151.2153],
    ['-33.8568 S, 151.2153 E', -33.8568, 151.2153],
    ['5.6037, 0.1870 W', 5.6037, -0.187],
    ['5.6037, 0.1870 West', 5.6037, -0.187],
    ['5.6037, 0.1870W, Accra', 5.6037, -0.187],
    ['5.6037, W 0.1870', 5.6037, -0.187],
    ['0.1870W 5.6037', 5.6037, -0.187],
    ['https://maps.google.com/?q=5.6037,0.1870W', 5.6037, -0.187],
    ['geo:0,0?q=5.6037,0.1870+W', 5.6037, -0.187],
    ['12.0022, 8.5919 S', -8.5919, 12.0022],
    [`12°0′7″ 8°35′30″ W`, 12.001_944, -8.591_667],
    ['geo:12,8', 12, 8],
    ['POINT(8.5919 12.0022)', 12.0022, 8.5919],
    ['SRID=4326;POINT Z (8.5919 12.0022 470)', 12.0022, 8.5919],
    ['{"type":"Point","coordinates":[8.5919,12.0022]}', 12.0022, 8.5919],
    ['{"lat":12.0022,"lng":8.5919}', 12.0022, 8.5919],
    ['{"lng": 8.5919, "lat": 12.0022}', 12.0022, 8.5919],
    ['https://maps.google.com/?saddr=Lagos&daddr=1.5,2.5+to:12.0022,8.5919', 12.0022, 8.5919],
    ['https://maps.google.com/?q=12.5,8', 12.5, 8],
    [`33°51'24.5"S 70°39'0"W`, -33.856_806, -70.65],
    // From the specification of plus codes.
    ['8FVC2222+22', 47.000_062_5, 8.000_062_5],
    ['6FH32222+222', 1.000_012_5, 1.000_015_6],
    ['7FG49QCJ+2VXGJ', 20.370_113_5, 2.782_235],
    ['4VCPPQGP+Q9', -41.273_062_5, 174.785_937_5],
    ['CFX3X2X2+X2', 89.999_937_5, 1.000_062_5],
    ['849VGJQF+VX7QR3J', 37.539_669_1, -122.375_069_8],
  ])('%s: other sides of the earth, and other orders', (text, lat, lng) => {
    expect(read(text)?.location.lat).toBeCloseTo(lat, 4);
    expect(read(text)?.location.lng).toBeCloseTo(lng, 4);
  });
});

describe('no place is read of', () => {
  it.each([
    // Houses, phones, dates, prices, sizes.
    ...[
      '',
      '4 Zoo Road, Kano',
      '12, 14 Allen Avenue',
      '12 14',
      '12, 14',
      'Plot 12.5, 8.3 km from town',
    ],
    ...['0803 123 4567', '0803.123.4567, 0805.765.4321', '+234 803 123 4567, 805 765 4321'],
    ...[
      '2026-11-22 14:30',
      '9:30 - 10:45',
      '₦1,500.00, 2,000.00',
      '1,500; 2,500',
      'Size 12.5 x 8.5',
    ],
    ...[
      '12 bags and 8 boxes',
      'Shop 12, 8 Lodge Road',
      `5'10" 6'2"`,
      'Flat 12 E, 4 N',
      'Block 8 S 12 W',
    ],
    ...['192.168.1.100', 'v12.0022.8', '5 m from gate 12, 8 s walk'],
    // Off the globe, nowhere, or one axis twice.
    ...['91.0022, 8.5919', '151.2153, -33.8568', '12.0022, 181.5919', '12.0022 N, 8.5919 N'],
    ...['0,0', '0.0000, 0.0000', 'geo:0,0', 'geo:', 'geo:0,0?q=Kurmi+Market'],
    ...[`12°61'0"N 8°0'0"E`, `12.5°30'N 8.5°30'E`],
    // For a server, or of no map.
    ...['GATE+CO', 'C++', 'B5+B6', '2H2R+VQ Kano', '7FG49Q00+', '62G20000+', 'XXXX2345+67'],
    ...['https://shop.example/?q=12.0022,8.5919', 'https://google.example.com/?q=12.0022,8.5919'],
    ...['https://maps.app.goo.gl/abc123', 'https://maps.google.com/?q=%E0%A4%A'],
    ...['https://www.google.com/maps/place/Kurmi+Market', 'https://www.google.com/maps'],
    // A route to a name: not where it begins, nor its middle.
    'https://www.google.com/maps/dir/12.1,8.6/Kurmi+Market/@12.05,8.55,13z',
    'https://www.google.com/maps/dir/?api=1&origin=12.1,8.6&destination=Kurmi+Market',
    'www.google.com/maps/dir/12.1,8.6/Kurmi+Market/@12.05,8.55,13z',
    'https://www.google.com/maps/dir/12.1,8.6//@12.05,8.55,13z',
    'https://www.google.com/maps/dir/12.1,8.6/',
    'https://www.google.com/maps/dir/12.1,8.6',
    'https://www.google.com/maps/dir/Lagos/Kano/data=!4m1!1m5!1m1!1s0x0!2m2!1d8.6!2d12.1!1m0',
    'https://www.google.com/maps/dir/Lagos//data=!4m1!1m5!1m1!1s0x0!2m2!1d8.6!2d12.1',
    'https://maps.google.com/maps?saddr=Lagos&daddr=Kano&ll=12.1,8.6',
    'maps.google.com/maps?saddr=12.1,8.6&daddr=Kano',
    'comgooglemaps://?saddr=12.1,8.6&daddr=Kano&center=12.1,8.6',
    'https://maps.apple.com/?daddr=Kano&ll=12.1,8.6',
    'https://maps.apple.com/?saddr=12.1,8.6',
    'https://www.openstreetmap.org/directions?from=Lagos&to=Kano#map=7/9.301/6.012',
    'https://www.openstreetmap.org/directions?route=6.524,3.379;#map=7/9.301/6.012',
    'https://www.openstreetmap.org/directions?route=6.524,3.379#map=7/9.301/6.012',
    'https://www.bing.com/maps?rtp=adr.Lagos~adr.Kano&cp=9.3~6.0',
    'https://www.bing.com/maps?rtp=pos.12.1_8.6&cp=9.3~6.0',
    'https://wego.here.com/directions/mix/Lagos/Kano?map=9.3,6,7,normal',
    'https://wego.here.com/directions/drive/Lagos:12.1,8.6/?map=9.3,6,7',
    'https://share.here.com/r/12.1,8.6,Home/Kano',
    // An address in a link.
    'https://www.google.com/maps/search/?api=1&query=12+4th+Avenue+Gwarinpa+Abuja',
    'https://www.google.com/maps/dir/?api=1&destination=5+7th+Avenue,+Festac',
    'https://maps.google.com/?q=12,14+Allen+Avenue',
    'https://maps.google.com/?q=12.5,8.5+km+from+town',
    'https://maps.google.com/?q=12+14',
    'https://maps.google.com/?q=12.5+8',
    'https://www.google.com/maps/search/12+4th+Avenue',
    'https://www.google.com/maps/place/12,14+Allen+Avenue',
    'geo:0,0?q=12+4th+Avenue,Abuja',
    'geo:0,0?q=12,14+Allen+Avenue(Kurmi)',
    'google.navigation:q=12,14+Allen+Avenue',
    'waze://?q=5,7+Allen+Avenue',
    'https://www.google.com/search?q=10+20',
    'https://www.google.com/search?q=10.123,20.123',
    'https://www.bing.com/search?q=10.123,20.123',
    'whatsapp://send?text=12.0022,8.5919',
    'shop.example/?q=12.0022,8.5919',
    // A letter that may be of either, or of no number, or of two.
    '12.0022 E 8.5919',
    '12.0022E8.5919',
    'Plot E 12.0022, 8.5919',
    '12.0022, 8.5919 W Gate',
    '12.0022 N, 8.5919 N',
    '12.0022 N E, 8.5919',
    '-12.0022 N, 8.5919 E',
    '12d 0m 7.92S 8d 35m 30.84 E',
    'Lat 8.5919 E, 12.0022',
    // Two places.
    '6.5244, 3.3792 to 12.0022, 8.5919',
    '6.5244, 3.3792, 12.0022, 8.5919',
    '1.2345 6.5244, 3.3792',
    '6.5244 N, 3.3792 E to 12.0022, 8.5919',
    `6.5244, 3.3792 to 12°0'7.9" 8°35'30.8"`,
    '6.5244, 3.3792 or 7F4C2H2R+VQ',
    '7F4C2H2R+VQ or 6FR5C2V2+22',
    'geo:6.5244,3.3792 to geo:12.0022,8.5919',
    'https://maps.google.com/?q=6.5244,3.3792 (12.0022, 8.5919)',
    '12.0022, 8.5919 and 12.0026, 8.5919',
  ])('%s', (text) => {
    expect(read(text)).toBeNull();
  });
});

it.each([
  ['https://maps.app.goo.gl/abc123', true],
  ['Here: https://goo.gl/maps/abc', true],
  ['http://bit.ly/abc', true],
  ['https://maps.apple/p/abc', true],
  ['https://what3words.com/filled.count.soap', true],
  ['https://www.google.com/maps?q=12.0022,8.5919', false],
  ['https://shop.example/goo.gl', false],
  ['goo.gl', false],
  ['2H2R+VQ Kano', true],
  ['at 2h2r+vq4', true],
  ['7F4C2H2R+VQ Kano', false],
  ['https://shop.example/2H2R+VQ', false],
  ['GATE+CO', false],
  ['C++', false],
  ['maps.app.goo.gl/abc123', true],
  ['www.what3words.com/filled.count.soap', true],
  ['https://www.google.com/maps/dir/Lagos/Kano/@9.3,6.0,7z', true],
  ['google.com/maps/dir/Lagos/Kano', true],
  ['geo:0,0?q=12+4th+Avenue,Abuja', true],
  ['6.5244, 3.3792 to 12.0022, 8.5919', true],
  ['12.0022, 8.5919', false],
  ['https://www.google.com/search?q=10+20', false],
  ['4 Zoo Road, Kano', false],
])('%s has no pin, and it is said: %s', (text, isShort) => {
  expect(hasUnread(text)).toBe(isShort);
});

describe('pasted into an address', () => {
  const form = {
    pickupAddress: '',
    pickupLocation: '',
    deliveryAddress: '4 Zoo Road',
    deliveryLocation: '',
  } as PackageForm;
  const pasted = (pickupAddress: string, before = form) =>
    withPlaces(before, { ...before, pickupAddress });

  it('a place sets its pin and leaves the words', () => {
    expect(pasted('Gate 2, Zoo Road https://maps.google.com/?q=12.0022,8.5919')).toEqual({
      ...form,
      pickupAddress: 'Gate 2, Zoo Road',
      pickupLocation: '12.0022, 8.5919',
    });
    expect(pasted('geo:12.0022,8.5919')).toMatchObject({
      pickupAddress: '12.00220, 8.59190',
      pickupLocation: '12.0022, 8.5919',
    });
  });

  it('replaces what stood there, however long, or stands within it', () => {
    const said = { ...form, pickupAddress: 'https://maps.app.goo.gl/a-very-long-short-link' };
    expect(pasted('Gate 2 12.0022, 8.5919', said).pickupAddress).toBe('Gate 2');
    const within = { ...form, pickupAddress: 'Gate 2, Kano' };
    expect(pasted('Gate 2, 12.0022 8.5919, Kano', within).pickupAddress).toBe('Gate 2, Kano');
  });

  it.each([
    ['emptied', '', ''],
    ['replaced by another address', '5 Lamido Crescent, Nassarawa', ''],
    ['replaced by one of the same number', '12 Kofar Mata Road', ''],
    ['begun anew', '5', ''],
    ['replaced by a code that has no place', '4H2R+WJ Kano', ''],
    ['continued', '12 Zoo Road, Kano, near the gate', '1, 2'],
    ['corrected', '14 Zoo Road, Kano', '1, 2'],
    ['shortened', '12 Zoo Road', '1, 2'],
  ])('the pin of an address that is %s', (_, after, pin) => {
    const pinned = { ...form, pickupLocation: '1, 2', pickupAddress: '12 Zoo Road, Kano' };
    expect(pasted(after, pinned)).toEqual({ ...form, pickupAddress: after, pickupLocation: pin });
  });

  it('coordinates as an address are named without losing them, and emptied with them', () => {
    const [pickupLocation, pickupAddress] = ['12.0022, 8.5919', '12.00220, 8.59190'];
    const pinned = { ...form, pickupLocation, pickupAddress };
    expect(pasted('4 Zoo Road, Kano', pinned).pickupLocation).toBe(pickupLocation);
    expect(pasted('', pinned).pickupLocation).toBe('');
  });

  it('a place that is chosen with its address keeps its pin', () => {
    const pinned = { ...form, pickupLocation: '1, 2', pickupAddress: '12 Zoo Road, Kano' };
    const chosen = { ...form, pickupLocation: '3, 4', pickupAddress: 'Sabon Gari Market' };
    expect(withPlaces(pinned, chosen)).toEqual(chosen);
  });

  it('what is typed key by key keeps the pin that is set', () => {
    const pinned = { ...form, pickupLocation: '1, 2', pickupAddress: '12.0022, 8.591' };
    expect(pasted('12.0022, 8.5919', pinned).pickupLocation).toBe('1, 2');
    expect(pasted('https://maps.app.goo.gl/abc123')).toMatchObject({
      pickupAddress: 'https://maps.app.goo.gl/abc123',
      pickupLocation: '',
    });
  });
});

it('never throws, and is quick', () => {
  const near = fc.string({ unit: fc.constantFrom(...`0123456789.,°'"NSEW +-()/geo:@!&=%`) });
  fc.assert(
    fc.property(fc.oneof(near, fc.string({ maxLength: 300 })), (text) => {
      read(text);
      read(`https://maps.google.com/?q=${text}`);
      read(`geo:${text}`);
    }),
  );
  const beganAt = performance.now();
  for (const piece of [
    '1',
    '1 ',
    '12.',
    '1.2345 ',
    "1'",
    '1°',
    'N ',
    '(',
    ')',
    '+',
    'geo:',
    'https://',
    'geo:1,',
  ]) {
    read(piece.repeat(4000 / piece.length));
  }
  expect(performance.now() - beganAt).toBeLessThan(2000);
});
