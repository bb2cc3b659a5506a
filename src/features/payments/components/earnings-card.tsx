import { useId } from 'react';
import { formatNaira } from '#domain/money.ts';
import type { DayEarnings, Earnings } from '#features/payments/earnings-rules.ts';
import css from '#features/payments/payments.module.css';
import { payouts as words } from '#messages/en/payouts.ts';
import layout from '#ui/stack.module.css';

/** Today and this week, read at arm's length. */
export function EarningsCard({ earnings }: { earnings: Earnings }) {
  const id = useId();
  const sums = [
    { label: words.earnings.today, kobo: earnings.todayKobo },
    { label: words.earnings.week, kobo: earnings.weekKobo },
  ];
  return (
    <section className={`${layout.stack} ${css.wallet}`} aria-labelledby={id}>
      <h2 className="visually-hidden" id={id}>
        {words.earnings.title}
      </h2>
      <div className={layout.spread}>
        {sums.map(({ label, kobo }) => (
          <div key={label}>
            <p>{label}</p>
            <p className={css.big}>{formatNaira(kobo)}</p>
          </div>
        ))}
      </div>
      <Week days={earnings.days} />
    </section>
  );
}

/** A bar a day, and a table for who cannot see bars. */
function Week({ days }: { days: readonly DayEarnings[] }) {
  const mostKobo = Math.max(1, ...days.map(({ kobo }) => kobo));
  const named = days.map((day, place) => ({ ...day, name: words.earnings.days[place] ?? '' }));
  return (
    <>
      <div className={css.bars} aria-hidden>
        {named.map(({ name, kobo, when }) => (
          <span key={name} data-when={when}>
            <i style={{ height: `${(100 * Math.max(0, kobo)) / mostKobo}%` }} />
            {name}
          </span>
        ))}
      </div>
      <div className="visually-hidden">
        <table>
          <caption>{words.earnings.table}</caption>
          <thead>
            <tr>
              <th scope="col">{words.earnings.day}</th>
              <th scope="col">{words.earnings.earned}</th>
            </tr>
          </thead>
          <tbody>
            {named.map(({ name, kobo, when }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{when === 'future' ? words.earnings.notYet : formatNaira(kobo)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
