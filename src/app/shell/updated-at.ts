import { once } from '#domain/format-date.ts';

const time = once(() => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }));
const dayAndTime = once(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
    }),
);

/** '04:00' of today; '18 Nov, 04:00' of another day. ISO 8601. */
export function updatedAt(iso: string, now: Date): string {
  const at = new Date(iso);
  return (at.toDateString() === now.toDateString() ? time() : dayAndTime()).format(at);
}
