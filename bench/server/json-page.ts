/**
 * The first page of a list as JSON made by the database itself: the limit of what the server's own
 * rows, policy and JSON may cost. The fields and the redaction are those of GET /api/packages; the
 * cases compare the responses.
 */
import * as v from 'valibot';
import { deltaPageSize } from '#contract/delta.ts';
import { deliveryStatusLabels, packageSchema, type WirePackage } from '#contract/package.ts';
import { pathOf } from '#contract/routes.ts';
import { trackingPagePath } from '#contract/tracking.ts';
import { maxWrongCodes } from '#domain/proof.ts';
import { parseStatus } from '#domain/status.ts';
import { maxWrongInAll } from '#server/modules/packages/handover.ts';
import type { Plan } from './plan.ts';

const moment = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const trackingPath = `'${pathOf(trackingPagePath, { token: '' })}' || page.tracking_token`;

/** A party as the reader ($1) sees it. */
const party = (table: string) => `json_build_object(
  '_id', ${table}.id, 'firstName', ${table}.first_name, 'lastName', ${table}.last_name,
  'email', case when ${table}.id = $1 then ${table}.email end,
  'phoneNumber', case when ${table}.id = $1 or page.sees_contacts then ${table}.phone_number end)`;

const status = deliveryStatusLabels
  .map((label) => `when '${parseStatus(label)}' then '${label}'`)
  .join(' ');

/** What each reader's list has, and whose contacts they see. */
const readers = {
  courier: {
    sees: `(sender_id = $1 or courier_id = $1 or (status = 'pending' and courier_id is null))`,
    contacts: 'coalesce(sender_id = $1 or courier_id = $1, false)',
  },
  sender: { sees: 'sender_id = $1', contacts: 'true' },
};

/** Fields that are not simply the column of their name. */
const expressions: Partial<Record<keyof WirePackage, string>> = {
  _id: 'page.id',
  packageId: "'KY-' || lpad(page.number::text, 6, '0')",
  senderId: party('sender'),
  deliveryPersonId: `case when courier.id is not null then ${party('courier')} end`,
  recipientPhone: 'case when page.sees_contacts then page.recipient_phone end',
  recipientEmail: 'case when page.sees_contacts then page.recipient_email end',
  priceOffer: 'page.price_kobo / 100.0::float8',
  deliveryStatus: `case page.status ${status} end`,
  paidOut:
    'case when page.paid_out_at is not null then coalesce(page.paid_out_kobo, page.price_kobo) / 100.0::float8 end',
  dropoffCode: 'case when page.is_senders then page.dropoff_code end',
  returnCode: 'case when page.is_senders then page.return_code end',
  dropoffToken: 'case when page.is_senders then page.dropoff_token end',
  codeLocked: `case page.progress when 'returning' then page.return_tries else page.dropoff_tries end >= ${maxWrongCodes} or page.wrong_codes >= ${maxWrongInAll}`,
  trackingPath: `case when page.is_senders then ${trackingPath} end`,
  recipientNote: 'case when page.sees_contacts then page.recipient_note end',
};
/** Moments are named as such. */
function columnOf(field: string): string {
  const column = `page.${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  return /(?:At|Date)$/.test(field) ? moment(column) : column;
}

const fields = v
  .keyof(packageSchema)
  .options.map((field) => `'${field}', ${expressions[field] ?? columnOf(field)}`)
  .join(', ');

const pageOf = ({ sees, contacts }: (typeof readers)['courier']) => `
select coalesce(json_agg(json_build_object(${fields}) order by page.number desc), '[]')::text as json
from (select *, ${contacts} as sees_contacts, sender_id = $1 as is_senders from packages
       where deleted_at is null and ${sees} order by number desc limit ${deltaPageSize}) as page
join users as sender on sender.id = page.sender_id
left join users as courier on courier.id = page.courier_id`;

/** The recorded statements of this call, its rows replaced by the database's JSON. */
export function jsonPlan({ statements, answeredBy }: Plan, reader: keyof typeof readers): Plan {
  const statement = {
    sql: pageOf(readers[reader]),
    name: `json_page_${reader}`,
    parameters: [{ binding: 'user' as const }],
    isInTransaction: false,
  };
  return { statements: statements.with(answeredBy, statement), answeredBy };
}
