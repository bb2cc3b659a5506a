import { isFitCourier } from '#domain/administration.ts';
import { showPhone } from '#domain/contact-links.ts';
import type { PackageView, UserView } from '#domain/overlay.ts';
import { matcherOf, phoneDigits, plainText } from '#domain/search.ts';
import { displayName } from '#domain/user.ts';

export interface CourierChoice {
  id: string;
  name: string;
  phone: string;
  vehicle: string;
  carries: number;
}

function loads(views: readonly PackageView[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { courier, status } of views) {
    if (courier && status === 'in-transit') {
      counts.set(courier.id, (counts.get(courier.id) ?? 0) + 1);
    }
  }
  return counts;
}

/** Couriers who may carry `pkg` (without it: any) but do not yet; least loaded first. */
export function courierChoices(
  users: readonly UserView[],
  views: readonly PackageView[],
  pkg?: PackageView,
): CourierChoice[] {
  const carried = loads(views);
  return users
    .filter((user) => isFitCourier(user, pkg?.sender.id) && user.id !== pkg?.courier?.id)
    .map((user) => ({
      id: user.id,
      name: displayName(user),
      phone: showPhone(user.phoneNumber ?? ''),
      vehicle: user.vehicle ?? '',
      carries: carried.get(user.id) ?? 0,
    }))
    .sort((a, b) => a.carries - b.carries || a.name.localeCompare(b.name, 'en'));
}

export function matchingCouriers(
  choices: readonly CourierChoice[],
  query: string,
): readonly CourierChoice[] {
  const isMatch = matcherOf(query);
  if (!isMatch) return choices;
  return choices.filter(({ name, phone, vehicle }) =>
    isMatch({ text: plainText(`${name}\n${vehicle}`), phones: phoneDigits(phone) }),
  );
}
