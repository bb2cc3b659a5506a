/**
 * Every invariant of the ledger, in SQL that shares nothing with the code that moves money. Each
 * check selects the violations, as sentences.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';

const checks: readonly SQL[] = [
  sql`select format('Transfer %s (%s) sums to %s kobo and not to zero.', t.number, t.kind, coalesce(sum(e.amount_kobo), 0)) as sentence
    from transfers t left join entries e on e.transfer_id = t.id
    group by t.id having count(e.*) < 2 or sum(e.amount_kobo) <> 0`,
  sql`select format('The wallet of %s says %s available and %s held, its entries say %s and %s.', coalesce(w.user_id, s.user_id), coalesce(w.available_kobo, 0), coalesce(w.held_kobo, 0), coalesce(s.available, 0), coalesce(s.held, 0)) as sentence
    from wallets w full join (
      select user_id, coalesce(sum(amount_kobo) filter (where account = 'available'), 0) as available,
        coalesce(sum(amount_kobo) filter (where account = 'held'), 0) as held
      from entries where user_id is not null group by user_id) s on s.user_id = w.user_id
    where coalesce(w.available_kobo, 0) <> coalesce(s.available, 0)
       or coalesce(w.held_kobo, 0) <> coalesce(s.held, 0)`,
  sql`select format('The wallet of %s is below zero: %s available, %s held.', user_id, available_kobo, held_kobo) as sentence
    from wallets where available_kobo < 0 or held_kobo < 0`,
  sql`select format('After transfer %s the wallet of %s was %s and %s by its entry, %s and %s by what came before.', number, user_id, available_kobo, held_kobo, available_sum, held_sum) as sentence
    from (
      select t.number, e.user_id, e.available_kobo, e.held_kobo,
        sum(e.amount_kobo) filter (where e.account = 'available') over by_transfer as available_sum,
        sum(e.amount_kobo) filter (where e.account = 'held') over by_transfer as held_sum
      from entries e join transfers t on t.id = e.transfer_id where e.user_id is not null
      window by_transfer as (partition by e.user_id order by t.number)) running
    where available_kobo is distinct from coalesce(available_sum, 0)
       or held_kobo is distinct from coalesce(held_sum, 0)`,
  sql`select format('The wallet of %s holds %s kobo, the packages of this sender hold %s.', coalesce(w.user_id, p.sender_id), coalesce(w.held_kobo, 0), coalesce(p.held, 0)) as sentence
    from wallets w full join (
      select sender_id, sum(held_kobo) as held from packages group by sender_id) p on p.sender_id = w.user_id
    where coalesce(w.held_kobo, 0) <> coalesce(p.held, 0)`,
  sql`select format('Package %s says it holds %s kobo, its transfers say %s.', p.number, p.held_kobo, coalesce(s.held, 0)) as sentence
    from packages p left join (
      select t.package_id, sum(e.amount_kobo) as held from transfers t
      join entries e on e.transfer_id = t.id where e.account = 'held' group by t.package_id) s on s.package_id = p.id
    where p.held_kobo <> coalesce(s.held, 0)`,
  sql`select format('Package %s (%s, %s, %s, %s) holds %s kobo of a price of %s.', number, payment_method, payment_status, status, case when paid_out_at is null then 'not paid out' else 'paid out' end, held_kobo, price_kobo) as sentence
    from packages
    where (held_kobo > 0) <> (payment_method = 'app' and payment_status = 'paid' and paid_out_at is null)
       or (held_kobo > 0 and (held_kobo <> price_kobo or deleted_at is not null
         or (status = 'cancelled' and outcome is distinct from 'returned')))`,
  sql`select format('Package %s (%s) holds %s kobo, to be released at %s%s.', number, status, held_kobo, coalesce(release_at::text, 'no time'), case when dispute is null then '' else ', and is disputed' end) as sentence
    from packages
    where (release_at is not null) <> (held_kobo > 0 and dispute is null
      and (status = 'cancelled' or (status = 'delivered' and photos_missing = 0)))`,
  sql`select format('Package %s says that %s kobo of a price of %s were paid out, its transfers say %s.', number, said, price_kobo, paid) as sentence
    from (
      select p.id, p.number, p.price_kobo, t.created_at,
        case when p.paid_out_at is null then 0 else coalesce(p.paid_out_kobo, p.price_kobo) end as said,
        case t.kind when 'release' then t.amount_kobo else 0 end + coalesce((
          select sum(e.amount_kobo) from transfers s join entries e on e.transfer_id = s.id
          where s.package_id = p.id and s.kind = 'settlement' and s.number > t.number
            and e.user_id <> p.sender_id), 0) as paid
      from packages p left join (
        select distinct on (t.package_id) t.package_id, t.kind, t.number, t.created_at, e.amount_kobo
        from transfers t join entries e on e.transfer_id = t.id and e.account = 'available'
        where t.kind in ('hold', 'release', 'reversal')
        order by t.package_id, t.number desc) t on t.package_id = p.id) last
    where said > price_kobo or (said <> paid and not (said = 0 and exists (
      select from package_events e
      where e.package_id = last.id and e.type = 'reopened' and e.received_at >= last.created_at)))`,
  sql`select format('Payout %s of package %s was taken back with %s kobo of %s.', s.payout, p.number, s.back, s.paid) as sentence
    from (
      select t.package_id, t.payout,
        coalesce(sum(e.amount_kobo) filter (where t.kind = 'release'), 0) as paid,
        -sum(e.amount_kobo) filter (where t.kind = 'reversal') as back,
        count(distinct e.user_id) as couriers
      from transfers t join entries e on e.transfer_id = t.id
      where t.kind in ('release', 'reversal') and e.account = 'available'
      group by t.package_id, t.payout) s
    join packages p on p.id = s.package_id
    where s.back is not null and (s.back <> s.paid or s.couriers <> 1)`,
  sql`select format('Transfer %s (%s%s) moves %s kobo from %s to %s.', t.number, t.kind, coalesce(', ' || t.reason, ''), e.amount_kobo, f.account, e.account) as sentence
    from transfers t
    join entries e on e.transfer_id = t.id and e.amount_kobo > 0
    join entries f on f.transfer_id = t.id and f.amount_kobo < 0
    where (t.kind, f.account, e.account) not in (
        ('top_up', 'provider', 'available'), ('hold', 'available', 'held'), ('release', 'held', 'available'),
        ('reversal', 'available', 'held'), ('settlement', 'available', 'available'), ('refund', 'held', 'available'),
        ('adjustment', 'adjustments', 'available'), ('adjustment', 'available', 'adjustments'),
        ('payout', 'available', 'payouts'), ('payout_paid', 'payouts', 'provider'),
        ('payout_returned', 'payouts', 'available'), ('payout_returned', 'provider', 'available'))
       or (t.kind in ('hold', 'release', 'reversal', 'settlement', 'refund')) <> (t.package_id is not null)
       or (t.kind like 'payout%') <> (t.payout_id is not null)`,
  sql`select format('Top-up %s (%s) says it credited %s kobo, its transfers credited %s in %s.', u.reference, u.status, coalesce(u.credited_kobo, 0), coalesce(sum(e.amount_kobo), 0), count(e.*)) as sentence
    from top_ups u
    left join transfers t on t.reference = u.reference and t.kind = 'top_up'
    left join entries e on e.transfer_id = t.id and e.account = 'available'
    group by u.reference
    having count(e.*) <> (case when u.status = 'credited' then 1 else 0 end)
        or coalesce(sum(e.amount_kobo), 0) <> coalesce(u.credited_kobo, 0)
        or bool_or(e.user_id <> u.user_id)
        or coalesce(u.credited_kobo, 0) > u.requested_kobo`,
  sql`select format('Payout %s (%s) of %s kobo: its transfers took %s, have %s on its way, %s at the bank and %s back.', reference, status, whole, -taken, waiting, sent, back) as sentence
    from (
      select p.reference, p.status, p.amount_kobo + p.fee_kobo as whole,
        coalesce(sum(e.amount_kobo) filter (where t.kind = 'payout' and e.user_id = p.user_id), 0) as taken,
        coalesce(sum(e.amount_kobo) filter (where e.account = 'payouts'), 0) as waiting,
        coalesce(sum(e.amount_kobo) filter (where e.account = 'provider'), 0) as sent,
        coalesce(sum(e.amount_kobo) filter (where t.kind = 'payout_returned' and e.user_id = p.user_id), 0) as back
      from payouts p left join transfers t on t.payout_id = p.id
      left join entries e on e.transfer_id = t.id
      group by p.id) sums
    where -taken <> whole
       or waiting <> (case status when 'pending' then whole else 0 end)
       or sent <> (case status when 'paid' then whole else 0 end)
       or back <> (case status when 'returned' then whole else 0 end)`,
  sql`select format('All wallets hold %s kobo, top-ups, adjustments and payouts leave %s.', w.total, b.total + a.total - p.total) as sentence
    from (select coalesce(sum(available_kobo + held_kobo), 0) as total from wallets) w,
      (select coalesce(sum(credited_kobo), 0) as total from top_ups) b,
      (select coalesce(-sum(amount_kobo), 0) as total from entries where account = 'adjustments') a,
      (select coalesce(sum(amount_kobo + fee_kobo), 0) as total from payouts where status <> 'returned') p
    where w.total <> b.total + a.total - p.total`,
];

async function sentencesOf(db: Database, check: SQL): Promise<string[]> {
  const rows = await db.select({ sentence: sql<string>`sentence` }).from(sql`(${check}) as broken`);
  return rows.map(({ sentence }) => sentence);
}

/** Violations as sentences, as `tx` sees them; empty: the ledger is consistent. */
export async function auditWithin(tx: Database): Promise<string[]> {
  const broken: string[] = [];
  for (const check of checks) broken.push(...(await sentencesOf(tx, check)));
  return broken;
}

/** The same, from one snapshot. */
export function audit(db: Database): Promise<string[]> {
  return db.transaction(auditWithin, {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  });
}

export interface LedgerSize {
  transfers: number;
  wallets: number;
  /** Kobo in all wallets, available or held. */
  totalKobo: number;
}

export async function ledgerSize(db: Database): Promise<LedgerSize> {
  const rows = await db
    .select({
      transfers: sql<number>`(select count(*) from transfers)`.mapWith(Number),
      wallets: sql<number>`(select count(*) from wallets)`.mapWith(Number),
      totalKobo:
        sql<number>`(select coalesce(sum(available_kobo + held_kobo), 0) from wallets)`.mapWith(
          Number,
        ),
    })
    .from(sql`(select 1) as one`);
  return rows[0] ?? { transfers: 0, wallets: 0, totalKobo: 0 };
}
