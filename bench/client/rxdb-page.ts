/** RxDB on its Dexie storage, as durable as the product, pulling the same pages. */
import { createRxDatabase } from 'rxdb';
import { replicateRxCollection } from 'rxdb/plugins/replication';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import type { Package } from '#domain/package.ts';
import { type Measurements, packageId, rows } from './rows.ts';

const pageSize = 500;
const text = { type: 'string' };
const maybeText = { type: ['string', 'null'] };

const schema = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id: { type: 'string', maxLength: 36 },
    createdAt: { type: 'string', maxLength: 24 },
    version: { type: 'integer' },
    priceOfferKobo: { type: 'integer' },
    sender: { type: 'object' },
    courier: { type: ['object', 'null'] },
    packageId: text,
    recipientName: text,
    description: text,
    pickupAddress: text,
    deliveryAddress: text,
    pickupDate: text,
    paymentMethod: text,
    status: text,
    paymentStatus: text,
    updatedAt: text,
    recipientPhone: maybeText,
    recipientEmail: maybeText,
    notes: maybeText,
    deliveryDate: maybeText,
  },
  required: ['id', 'createdAt', 'version'],
  indexes: ['createdAt'],
};

interface Checkpoint {
  place: number;
}

async function delta({ count }: { count: number }) {
  const database = await createRxDatabase({
    name: `peer${Math.random().toString(36).slice(2)}`,
    storage: getRxStorageDexie({ chromeTransactionDurability: 'strict' }),
    multiInstance: false,
  });
  await database.addCollections({ packages: { schema } });
  const collection = database.collections.packages;
  if (!collection) throw new Error('No collection.');
  let list: Package[] = rows(count);
  const replication = replicateRxCollection<Package, Checkpoint>({
    replicationIdentifier: 'bench',
    collection,
    live: true,
    pull: {
      batchSize: pageSize,
      handler: async (checkpoint) => {
        const place = checkpoint?.place ?? 0;
        const page = structuredClone(list.slice(place, place + pageSize));
        return {
          documents: page.map((one) => ({ ...one, _deleted: false })),
          checkpoint: { place: place + page.length },
        };
      },
    },
  });
  let failure: unknown;
  replication.error$.subscribe((error) => {
    failure = error;
  });
  await replication.awaitInSync();
  const changed = rows(count, 2);
  list = [...list, ...changed];
  const begun = performance.now();
  replication.reSync();
  await replication.awaitInSync();
  const seconds = (performance.now() - begun) / 1000;
  if (failure) throw failure;
  const last = await collection.findOne(packageId(count)).exec();
  if (last?.version !== 2) throw new Error('The delta did not arrive.');
  await replication.cancel();
  await database.remove();
  return count / seconds;
}

const measurements: Measurements = { delta };
Object.assign(globalThis, { measurements });
