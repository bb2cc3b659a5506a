import { useNow } from '#data/use-now.ts';
import type { User } from '#domain/user.ts';

export const givenBackDays = 30;

/**
 * How many packages a courier accepted and rejected in the last days: reveals those who accept only
 * to see a phone number.
 */
export function useGivenBack({ givenBackAt }: User): number {
  const sinceMs = useNow() - givenBackDays * 24 * 3_600_000;
  return givenBackAt?.filter((at) => Date.parse(at) > sinceMs).length ?? 0;
}
