/** Packages on the server for the tests of lists and details, many at a time. */
import type { Account } from './backstage.ts';

export interface MadePackage {
  _id: string;
  packageId: string;
  description: string;
  version: number;
}

export const packageBody = {
  pickupAddress: '12 Kofar Mata Road, Kano',
  deliveryAddress: '4 Zoo Road, Kano',
  recipientName: 'Musa Ibrahim',
  recipientPhone: '0805 765 4321',
  description: 'Two bolts of indigo cloth',
  pickupDate: '2027-01-15T09:00',
  priceOffer: 1500,
  paymentMethod: 'cash',
};

interface Pins {
  pickupLocation: { lat: number; lng: number };
  deliveryLocation: { lat: number; lng: number };
}

/** One sign-in for all of them, since a password takes its time. */
export async function makePackages(
  serverUrl: string,
  { email, password }: Account,
  changes: readonly (Partial<typeof packageBody> & Partial<Pins>)[],
): Promise<MadePackage[]> {
  const post = async (path: string, body: unknown, token = '') => {
    const answer = await fetch(`${serverUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const { accessToken } = await post('/api/auth/login', { email, password });
  const made: MadePackage[] = [];
  for (const change of changes) {
    made.push(await post('/api/packages', { ...packageBody, ...change }, accessToken));
  }
  return made;
}
