/** A page that the browser keeps for Back stands still, and must not hold the app's storage. */
import type { PackageOnServer } from '#tests/e2e/backstage.ts';
import { test } from './stage.ts';

/** From now on no write ends by itself. */
const holdWrites = `
  const { put, add } = IDBObjectStore.prototype;
  const held = (write) => function (...args) {
    const store = this;
    const request = write.apply(store, args);
    const next = () => { store.count().onsuccess = next; };
    next();
    window.isHeld = true;
    return request;
  };
  IDBObjectStore.prototype.put = held(put);
  IDBObjectStore.prototype.add = held(add);
`;

test('a page left in mid-write does not hold up the next', async ({ backstage, person }) => {
  const [first, second] = (await backstage.packages(await backstage.sender(), 2)) as [
    PackageOnServer,
    PackageOnServer,
  ];
  await person.signIn(await backstage.courier());
  await person.press('link', 'Deliveries');
  await person.see('Accept Delivery', first.description);
  await person.ask(holdWrites);
  await person.press('button', 'Accept Delivery', first.description);
  await person.until('a write', "return 'isHeld' in window");

  await person.open('/delivery/pending');
  await person.press('button', 'Accept Delivery', second.description);
  await person.see('In Transit', second.description);
});
