import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { plan } from '#tests/sync/model/plan.ts';
import { runPlan } from '#tests/sync/model/run.ts';

export interface SoakOptions {
  /** Seed of the first run; incremented for each run. */
  seed: number;
  /** Minimum number of operations. */
  operations: number;
  /** The server sends rows. */
  hasStream: boolean;
  /** File for the log of a failing run. */
  log: string;
}

const say = (line: string) => process.stdout.write(`${line}\n`);

/** False: a run violated the model. */
export async function soak({ seed, operations, hasStream, log }: SoakOptions): Promise<boolean> {
  let [done, run] = [0, 0];
  const fromMs = Date.now();
  const rest = hasStream ? '' : ' --stream off';
  say(`Seeds from ${seed}. To repeat: npm run soak -- --seed ${seed} --ops ${operations}${rest}`);
  for (; done < operations; run += 1) {
    const [one] = fc.sample(plan(400, hasStream), { seed: seed + run, numRuns: 1 });
    if (!one) throw new Error('No plan.');
    const again = `npm run soak -- --seed ${seed + run} --ops 1${rest}`;
    const {
      violations,
      operations: meant,
      lines,
      digest,
    } = await runPlan(one).catch((error) => {
      say(`Seed ${seed + run} does not terminate. To repeat: ${again}`);
      throw error;
    });
    done += meant;
    if (violations.length > 0) {
      writeFileSync(log, [...lines, ''].join('\n'));
      say(`Seed ${seed + run} violates:\n${violations.join('\n')}\nFull log: ${log}. To repeat:`);
      say(again);
      return false;
    }
    if (run % 20 === 0 || done >= operations) {
      const seconds = Math.round((Date.now() - fromMs) / 1_000);
      say(`seed ${seed + run} · ${digest.slice(0, 8)} · ${done} operations · ${seconds} s`);
    }
  }
  return true;
}
