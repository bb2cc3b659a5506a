/** CPU time of processes, from /proc (Linux). */
import { existsSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** The unit of times in /proc/PID/stat, on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** CPU milliseconds since the process started; null without /proc. */
function spentBy(pid: number): number | null {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return null;
  // The name, in parentheses, may contain spaces; the fields after it start at the third.
  const fields = readFileSync(file, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
}

export type Spent = Map<number, number>;

export function spentByAll(pids: readonly number[]): Spent {
  return new Map(
    pids.flatMap((pid) => {
      const ms = spentBy(pid);
      return ms === null ? [] : [[pid, ms] as const];
    }),
  );
}

/** ms, for the processes in both. */
export function between(before: Spent, after: Spent): number {
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? ms), 0);
}

/** Pids of the PostgreSQL backends of a database; none if it runs on another machine. */
export async function backendsOf(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await client.end();
  return rows.map(({ pid }) => pid);
}
