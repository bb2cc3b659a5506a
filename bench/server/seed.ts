/** Ten thousand packages and five hundred people, by SQL: the API would take minutes. */
import { sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { ensureEpoch } from '#server/modules/sync/epoch.ts';

export interface Size {
  packages: number;
  users: number;
}

/** One in ten users is a courier; the first sender has every fifth package. */
export async function seed(db: Database, { packages, users }: Size): Promise<void> {
  const couriers = Math.ceil(users / 10);
  await ensureEpoch(db);
  await db.execute(sql`
    insert into users (id, email, password_hash, roles, first_name, last_name, phone_number, address,
                       created_at, updated_at)
    select gen_random_uuid(), 'person' || n || '@kaya.test', '-',
           array[case when n <= ${couriers} then 'Employee' else 'Customer' end],
           (array['Aisha','Musa','Fatima','Ibrahim','Zainab','Sani','Hauwa'])[1 + n % 7],
           (array['Bello','Danjuma','Yusuf','Abubakar','Garba'])[1 + n % 5],
           '080' || (10000000 + n), n || ' Zoo Road, Kano', now(), now()
      from generate_series(1, ${users}::int) as n`);
  await db.execute(sql`
    insert into sessions (id, user_id, is_trusted, created_at)
    select gen_random_uuid(), id, true, now() from users`);
  // Out of a hundred packages, 40 are on offer, 20 in transit, 32 delivered, 8 cancelled.
  await db.execute(sql`
    with sender as (select id, row_number() over (order by id) - 1 as place, count(*) over () as total
                      from users where roles = array['Customer']),
         courier as (select id, row_number() over (order by id) - 1 as place
                       from users where roles = array['Employee'])
    insert into packages (id, sender_id, courier_id, recipient_name, recipient_phone, recipient_email,
                          description, notes, pickup_address, delivery_address, pickup_date,
                          delivery_date, price_kobo, payment_method, status, created_at, updated_at)
    select gen_random_uuid(), sender.id, case when n % 100 between 40 and 91 then courier.id end,
           'Recipient ' || n, '0803 ' || (1000000 + n),
           case when n % 3 = 0 then 'recipient' || n || '@kaya.test' end,
           (array['Bag of rice','Two bolts of indigo cloth','Phone in its box','School books'])[1 + n % 4],
           case when n % 2 = 0 then 'Call before you come, the gate is locked.' end,
           n || ' Zoo Road, Kano', n || ' Ibrahim Taiwo Road, Sabon Gari, Kano',
           now() + interval '1 day', case when n % 2 = 0 then now() + interval '3 days' end,
           50000 + n % 60 * 5000, case when n % 4 = 0 then 'app' else 'cash' end,
           case when n % 100 < 40 then 'pending' when n % 100 < 60 then 'in-transit'
                when n % 100 < 92 then 'delivered' else 'cancelled' end,
           now() - (${packages}::int - n) * interval '1 minute',
           now() - (${packages}::int - n) * interval '1 minute'
      from generate_series(1, ${packages}::int) as n
      join sender on sender.place = case when n % 5 = 0 then 0 else 1 + n % (sender.total - 1) end
      join courier on courier.place = n / 100 % ${couriers}::int
     order by n`);
}

/** Newest first. */
export async function packagesOnOffer(db: Database): Promise<string[]> {
  const found = await db.execute(sql`
    select id from packages where status = 'pending' order by number desc`);
  return (found as unknown as { rows: { id: string }[] }).rows.map(({ id }) => id);
}
