/**
 * Answers of a server that knows the calls and fields of the specification's tables alone, completed
 * to what the contract says: rows without a version or what was added later, people as bare ids. Tried
 * only on what is not of the contract's shape. A row that cannot be read is left out: it must not
 * hide the others.
 */
import * as v from 'valibot';
import { signUpAnswerSchema } from './auth.ts';
import { userListSchema } from './delta.ts';
import { dateTimeSchema, versionSchema } from './fields.ts';
import { packageListSchema, packageSchema, paymentMethodSchema } from './package.ts';
import { verifiedPaymentSchema } from './payment.ts';
import { partySchema, roleSchema, userSchema } from './user.ts';
import { noVersion } from './version.ts';

/** Another server makes its own kind. */
export const anyIdSchema = v.string();
export const anyPartySchema = v.object({ ...partySchema.entries, _id: anyIdSchema });

const plainPackageSchema = v.object({
  ...packageSchema.entries,
  _id: v.pipe(anyIdSchema, v.nonEmpty()),
  senderId: anyPartySchema,
  deliveryPersonId: v.nullable(anyPartySchema),
  paymentMethod: v.nullable(paymentMethodSchema),
});
const plainUserSchema = v.object({
  ...userSchema.entries,
  _id: v.pipe(anyIdSchema, v.nonEmpty()),
});

type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown) => textOf(value) || null;
const wordOf = (value: unknown) => (typeof value === 'number' ? String(value) : textOf(value));
const versionOf = ({ version }: Row) => (v.is(versionSchema, version) ? version : noVersion);

/** 1500, '1500.00' and '1,500' alike; NaN: not an amount. */
function nairaOf(value: unknown): number {
  const text = wordOf(value ?? 0).trim();
  return /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/.test(text)
    ? Number(text.replaceAll(',', ''))
    : Number.NaN;
}

/** Without what was added to the contract later and cannot be read: it counts as missing. */
function readable(row: Row, entries: Readonly<Record<string, v.GenericSchema>>): Row {
  const isReadable = ([name, value]: [string, unknown]) => {
    const schema = entries[name];
    return schema?.type !== 'optional' || v.is(schema, value);
  };
  return Object.fromEntries(Object.entries(row).filter(isReadable));
}

function momentOf(value: unknown): string | null {
  const parsed = v.safeParse(dateTimeSchema, value);
  if (parsed.success) return parsed.output;
  const atMs = Date.parse(textOf(value));
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
}

/** Null: nobody, or no way to tell who. */
function wholeParty(person: unknown) {
  const { firstName, lastName, email, phoneNumber, ...row } = isRow(person)
    ? person
    : ({ _id: person } as Row);
  const _id = wordOf(row._id);
  if (_id === '') return null;
  return {
    _id,
    firstName: textOf(firstName),
    lastName: textOf(lastName),
    email: textOrNull(email),
    phoneNumber: textOrNull(phoneNumber),
  };
}

const unknownParty = { _id: '', firstName: '', lastName: '', email: null, phoneNumber: null };

/** Fields that only packages have. */
const marksOfPackage = ['pickupAddress', 'deliveryAddress', 'recipientName', 'description'];

/** Undefined: not a package. */
function wholePackage(row: unknown): Row | undefined {
  if (!isRow(row)) return undefined;
  if (!marksOfPackage.some((name) => typeof row[name] === 'string')) return undefined;
  const pickupDate = momentOf(row.pickupDate);
  const createdAt = momentOf(row.createdAt) ?? pickupDate ?? new Date(0).toISOString();
  const method = textOf(row.paymentMethod).toLowerCase();
  return {
    ...readable(row, packageSchema.entries),
    _id: wordOf(row._id),
    packageId: wordOf(row.packageId),
    version: versionOf(row),
    senderId: wholeParty(row.senderId) ?? unknownParty,
    deliveryPersonId: wholeParty(row.deliveryPersonId),
    recipientName: textOf(row.recipientName),
    recipientPhone: textOrNull(row.recipientPhone),
    recipientEmail: textOrNull(row.recipientEmail),
    description: textOf(row.description),
    notes: textOrNull(row.notes),
    pickupAddress: textOf(row.pickupAddress),
    deliveryAddress: textOf(row.deliveryAddress),
    pickupDate: pickupDate ?? createdAt,
    deliveryDate: momentOf(row.deliveryDate),
    priceOffer: nairaOf(row.priceOffer),
    paymentMethod: v.is(paymentMethodSchema, method) ? method : null,
    deliveryStatus: textOf(row.deliveryStatus),
    paymentStatus: textOf(row.paymentStatus).toLowerCase() === 'paid' ? 'paid' : 'unpaid',
    createdAt,
    updatedAt: momentOf(row.updatedAt) ?? createdAt,
  };
}

/** Undefined: not a user. */
function wholeUser(row: unknown): Row | undefined {
  if (!isRow(row)) return undefined;
  if (typeof row.email !== 'string' && typeof row.firstName !== 'string') return undefined;
  const roles: unknown[] = Array.isArray(row.roles) ? row.roles : [row.roles ?? row.status];
  return {
    ...readable(row, userSchema.entries),
    ...wholeParty(row),
    address: textOrNull(row.address),
    vehicle: textOrNull(row.vehicle),
    status: textOf(row.status),
    active: row.active !== false,
    roles: roles.filter((role) => v.is(roleSchema, role)),
    balance: v.is(userSchema.entries.balance, row.balance) ? row.balance : null,
    version: versionOf(row),
  };
}

interface Reading {
  complete(body: unknown): unknown;
  /** Schema of the completed body. */
  schema: v.GenericSchema;
}

/** Undefined: of several rows there is none that can be read. */
function listOf(ours: v.GenericSchema, { complete, schema }: Reading): Reading {
  return {
    complete(body) {
      if (!Array.isArray(body)) return undefined;
      const rows = body.flatMap((one: unknown) => {
        if (v.is(ours, one)) return [one];
        const whole = complete(one);
        return v.is(schema, whole) ? [whole] : [];
      });
      return rows.length > 0 ? rows : undefined;
    },
    schema: v.array(v.union([ours, schema])),
  };
}

function wholeVerification(body: unknown) {
  if (!isRow(body) || !('depositedAmount' in body)) return undefined;
  const depositedAmount = nairaOf(body.depositedAmount);
  const status = depositedAmount > 0 ? 'credited' : 'pending';
  return { reference: '-', status, ...body, depositedAmount };
}

const aPackage: Reading = { complete: wholePackage, schema: plainPackageSchema };
const aUser: Reading = { complete: wholeUser, schema: plainUserSchema };

const readings = new Map<v.GenericSchema, Reading>([
  [packageSchema, aPackage],
  [packageListSchema, listOf(packageListSchema.item, aPackage)],
  [userSchema, aUser],
  [userListSchema, listOf(userListSchema.item, aUser)],
  [
    signUpAnswerSchema,
    {
      complete: (body) => isRow(body) && { ...body, user: wholeUser(body.user) },
      schema: v.object({ accessToken: v.string(), user: plainUserSchema }),
    },
  ],
  [verifiedPaymentSchema, { complete: wholeVerification, schema: verifiedPaymentSchema }],
]);

/** The body as this schema reads it, completed if need be. */
export function readBody(schema: v.GenericSchema, body: unknown) {
  const parsed = v.safeParse(schema, body);
  const reading = parsed.success ? undefined : readings.get(schema);
  return reading ? v.safeParse(reading.schema, reading.complete(body)) : parsed;
}
