/** A delivery as its recipient follows it: people whose names and words the recipient must not learn. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { WirePackage } from '#contract/package.ts';
import { packages } from '#server/database/schema.ts';
import { type Details, packageCalls, type Step } from './package-calls.ts';
import { type Person, profile, type Stage } from './stage.ts';

/** Data of the sender and courier, none of which may reach the recipient. */
export const secrets = {
  sender: { firstName: 'Zainab', lastName: 'Senderson', phoneNumber: '0802 111 2233' },
  courierLastName: 'Couriersson',
  senderNote: 'Pssst, the gate code is 9911',
  courierNote: 'Rude dog behind the fence',
  pickupAddress: '12 Kofar Mata Road, Kano',
  deliveryAddress: '4 Zoo Road, Kano',
  description: 'Two bolts of indigo cloth',
  recipientName: 'Musa Recipientson',
  recipientPhone: '0805 765 4321',
  recipientEmail: 'musa@kaya.test',
  /** Enough digits that no length in an answer contains them by chance. */
  priceNaira: 4_376_285,
  pickupPin: { lat: 12.123456, lng: 8.654321 },
  deliveryPin: { lat: 12.013579, lng: 8.524689 },
};

export const courierPhone = '0809 444 5566';

export interface Followed {
  sender: Person;
  courier: Person;
  pkg: WirePackage;
  token: string;
  path: string;
}

export const tokenOf = ({ trackingPath }: Pick<WirePackage, 'trackingPath'>): string =>
  trackingPath?.slice('/t/'.length) ?? '';

/** A package nobody has accepted yet. */
export async function offered(
  stage: Stage,
  changes: Record<string, unknown> = {},
): Promise<Followed> {
  const sender = await stage.person('Customer');
  const courier = await stage.person('Employee', 'Sani');
  const asThem = (id: string, body: object) => ({ body: { ...profile, id, ...body } });
  await stage.send(sender, 'PATCH', '/api/users', asThem(sender.id, secrets.sender));
  const { courierLastName: lastName } = secrets;
  const him = { firstName: 'Sani', lastName, phoneNumber: courierPhone, vehicle: 'Motorbike' };
  await stage.send(courier, 'PATCH', '/api/users', asThem(courier.id, him));
  const { priceNaira, pickupPin, deliveryPin, senderNote, ...written } = secrets;
  const pkg = await stage.created(sender, {
    pickupAddress: written.pickupAddress,
    deliveryAddress: written.deliveryAddress,
    recipientName: written.recipientName,
    recipientPhone: written.recipientPhone,
    recipientEmail: written.recipientEmail,
    description: written.description,
    notes: senderNote,
    priceOffer: priceNaira,
    pickupLocation: pickupPin,
    deliveryLocation: deliveryPin,
    handover: 'code',
    deliveryDate: '2026-11-22T15:30:00.000Z',
    ...changes,
  });
  return { sender, courier, pkg, token: tokenOf(pkg), path: pkg.trackingPath ?? '' };
}

export const record = (
  stage: Stage,
  who: Person,
  { pkg }: Pick<Followed, 'pkg'>,
  type: Step,
  details?: Details,
) => packageCalls(() => stage).record(who, pkg._id, type, details);

/** Accepted and picked up. */
export async function carried(
  stage: Stage,
  changes: Record<string, unknown> = {},
): Promise<Followed> {
  const followed = await offered(stage, changes);
  await stage.accept(followed.courier, followed.pkg);
  await record(stage, followed.courier, followed, 'picked_up');
  return followed;
}

export const storePhoto = (stage: Stage, { courier, pkg }: Followed, id: string) =>
  packageCalls(() => stage).put(courier, pkg._id, id);

export const delivered = (stage: Stage, followed: Followed, photoIds: string[] = [randomUUID()]) =>
  record(stage, followed.courier, followed, 'delivered', {
    proof: { photoIds, recipientName: 'Hadiza Neighbourson', relation: 'neighbour' },
  });

/** What the recipient must never get: every form in which it is stored or could be written. */
export async function forbiddenTexts(stage: Stage, { pkg, sender, courier, token }: Followed) {
  const [row] = await stage.database.db.select().from(packages).where(eq(packages.id, pkg._id));
  const numbers = (phone: string) => {
    const digits = phone.replace(/\D/g, '');
    return [phone, digits, digits.slice(1), digits.slice(-7)];
  };
  const naira = secrets.priceNaira;
  return {
    token,
    texts: [
      ...[secrets.sender.firstName, secrets.sender.lastName],
      ...numbers(secrets.sender.phoneNumber),
      ...numbers(secrets.recipientPhone),
      ...[
        secrets.courierLastName,
        secrets.senderNote,
        secrets.courierNote,
        'gate code',
        'Rude dog',
      ],
      ...[secrets.pickupAddress, secrets.deliveryAddress, 'Kofar', 'Zoo Road', 'Kano'],
      ...[secrets.description, 'indigo', secrets.recipientName, 'Recipientson', 'Musa'],
      ...[secrets.recipientEmail, '@kaya.test', 'Hadiza', 'Neighbourson', 'neighbour'],
      ...[String(naira), naira.toLocaleString('en'), String(naira * 100), '₦', 'NGN'],
      ...['12.123', '8.654', '12.0135', '8.5246'],
      ...[sender.id, courier.id, pkg._id, sender.email, courier.email],
      ...[pkg.returnCode ?? '', row?.dropoffTokenHash ?? ''],
    ].filter((text) => text.length > 2),
  };
}
