/**
 * Four tabs of two users on two phones share an unreliable network until time is up; then the
 * faults stop and the oracle checks.
 */
import type { Browser } from '@playwright/test';
import type { Backstage } from '#tests/e2e/backstage.ts';
import type { FaultProxy } from '#tests/fakes/fault-proxy.ts';
import { createChance } from './chance.ts';
import { randomFaults } from './faults.ts';
import { complaintsOf } from './oracle.ts';
import { type ActionCounts, actUntil } from './people.ts';
import { type SoakPhone, takePhone } from './phone.ts';

export interface SoakNeeds {
  browser: Browser;
  backstage: Backstage;
  network: FaultProxy;
  /** Determines actions and faults; timing depends on the machine. */
  seed: number;
  forMs: number;
  say(line: string): void;
}

export interface SoakResult {
  /** Number of operations saved in an outbox. */
  operations: number;
  complaints: string[];
}

const listed = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([what, count]) => `${count} ${what}`).join(', ');

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

export async function soak(needs: SoakNeeds): Promise<SoakResult> {
  const { browser, backstage, network, seed, forMs, say } = needs;
  const chance = createChance(seed);
  let words = 0;
  const newWord = () => {
    words += 1;
    return `Bale ${seed}-${words}`;
  };
  const take = async (role: SoakPhone['role'], number: number) =>
    takePhone({
      browser,
      url: network.url,
      role,
      newWord,
      account: await backstage.account(
        role === 'sender' ? 'Customer' : 'Employee',
        role === 'sender' ? 'Amina' : 'Sani',
      ),
      chanceOf: (tab) => createChance(seed + 10 * number + tab + 1),
    });
  const phones = [await take('sender', 1), await take('courier', 2)];
  const counts: ActionCounts = { done: new Map(), missed: 0 };
  try {
    network.setFaults(randomFaults(chance));
    const untilMs = Date.now() + forMs;
    await Promise.all(
      phones.flatMap(({ tabs, role }) => tabs.map((tab) => actUntil(tab, role, untilMs, counts))),
    );
    network.setFaults(null);
    for (const { context } of phones) await context.setOffline(false);
    const intents = phones.flatMap(({ saved }) => saved);
    say(`Actions: ${listed(counts.done)}; ${counts.missed} missed.`);
    say(`Operations: ${intents.length} (${listed(countBy(intents.map(({ name }) => name)))}).`);
    say(`Faults: ${listed(network.faults)}.`);
    const complaints = await complaintsOf(phones, { backstage, network });
    return { operations: intents.length, complaints };
  } finally {
    network.setFaults(null);
    await Promise.all(phones.map(({ context }) => context.close()));
  }
}
