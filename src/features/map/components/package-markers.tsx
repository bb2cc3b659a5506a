import { useSetAtom } from 'jotai';
import { useEffect, useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import { useActor } from '#data/use-actor.ts';
import { useNow } from '#data/use-now.ts';
import { usePackageViews } from '#data/use-packages.ts';
import { type Positions, usePositions } from '#data/use-positions.ts';
import { relativeTime } from '#domain/dates.ts';
import type { PackageView } from '#domain/overlay.ts';
import { isOnOffer } from '#domain/package-state.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';
import { displayName } from '#domain/user.ts';
import { places as words } from '#messages/en/places.ts';
import { position as positionWords } from '#messages/en/position.ts';
import { type MapMarker, mapMarkersAtom } from '#state/map.ts';

/** Each is a DOM element above the map: more would cover it and slow a cheap phone. */
const mostPackages = 100;

function isOnMap(view: PackageView, actor: Actor): boolean {
  const isOpen = view.status === 'pending' || view.status === 'in-transit';
  const facts = factsOf(view);
  if (!isOpen || !can(actor, 'view', facts).isAllowed) return false;
  if (actor.role === 'Admin') return true;
  const isOwn = facts.senderId === actor.id || facts.courierId === actor.id;
  return isOwn || (actor.role === 'Employee' && isOnOffer(facts));
}

export const hasPin = ({ pickupLocation, deliveryLocation }: PackageView) =>
  pickupLocation !== null || deliveryLocation !== null;

export const isAnyOnMap = (views: readonly PackageView[], actor: Actor) =>
  views.some((view) => hasPin(view) && isOnMap(view, actor));

/**
 * Undelivered packages by role: own, available and carried, or all; the newest if too many. The
 * selected one in any case.
 */
export function markersOf(
  views: readonly PackageView[],
  actor: Actor,
  selected: string | null = null,
): MapMarker[] {
  const rank = ({ id, createdAt }: PackageView) =>
    id === selected ? Number.POSITIVE_INFINITY : Date.parse(createdAt);
  const shown = views
    .filter(hasPin)
    .filter((view) => view.id === selected || isOnMap(view, actor))
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, mostPackages);
  return shown.flatMap(({ id, packageId, ...view }) => {
    const number = packageId || words.markers.unnumbered;
    const { pickupLocation, deliveryLocation, pickupAddress, deliveryAddress } = view;
    const markers: MapMarker[] = [];
    if (pickupLocation) {
      const label = words.markers.pickup(number, pickupAddress);
      markers.push({ id, kind: 'pickup', location: pickupLocation, label });
    }
    if (deliveryLocation) {
      const label = words.markers.delivery(number, deliveryAddress);
      markers.push({ id, kind: 'delivery', location: deliveryLocation, label });
    }
    return markers;
  });
}

/** Couriers who share their position, for dispatchers; a package that they carry gives the name. */
export function courierMarkers(
  views: readonly PackageView[],
  positions: Positions,
  nowMs: number,
): MapMarker[] {
  const couriers = new Map(
    views.flatMap(({ courier }) => (courier ? [[courier.id, courier]] : [])),
  );
  return [...positions.values()].flatMap(({ courierId: id, lat, lng, at }) => {
    const courier = couriers.get(id);
    const ago = relativeTime(at, Math.max(nowMs, Date.parse(at)));
    if (courier === undefined || ago === null) return [];
    const whole = displayName(courier);
    const label = positionWords.marker(whole, ago);
    const name = courier.firstName || whole;
    return [{ id, kind: 'courier' as const, location: { lat, lng }, label, name }];
  });
}

export function PackageMarkers({ selected = null }: { selected?: string | null }): null {
  const views = usePackageViews();
  const actor = useActor();
  const positions = usePositions();
  const nowMs = useNow();
  const navigate = useNavigate();
  const put = useSetAtom(mapMarkersAtom);
  const markers = useMemo(
    () =>
      views
        ? [...markersOf(views, actor, selected), ...courierMarkers(views, positions, nowMs)]
        : [],
    [views, actor, selected, positions, nowMs],
  );
  useEffect(() => {
    // Instead of another detail: Back closes it (app/shell/desk.tsx).
    const open = ({ id, kind }: MapMarker) => {
      const path = kind === 'courier' ? `/edit-user/${id}` : `/package-detail/${id}`;
      void navigate(path, { replace: selected !== null });
    };
    put({ markers, open, selected });
  }, [markers, selected, navigate, put]);
  useEffect(() => () => put(null), [put]);
  return null;
}
