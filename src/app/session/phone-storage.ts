/**
 * The storage that this page has: the phone's own, or, where the browser keeps nothing (private
 * windows, blocked cookies), this page's memory. Everything above is the same code.
 *
 *   opening ──▶ phone        ──no IndexedDB──▶ memory
 *      └──blocked, lost: shown, and waited for ──the person goes on without it──▶ memory
 */
import { DeviceDatabase } from '#db/device-database.ts';
import type { ResilientDatabaseOptions } from '#db/resilient-database.ts';

export interface PhoneStorage {
  device: DeviceDatabase;
  /** For every other database of this page. */
  options: ResilientDatabaseOptions;
}

async function memoryOptions(): Promise<ResilientDatabaseOptions> {
  const { keptInMemory } = await import('./memory-storage.ts');
  return keptInMemory();
}

let goOnInMemory = () => {};

/** Resolves once the phone's storage is open, or is known to be none. */
function whereToKeep(device: DeviceDatabase): Promise<'phone' | 'memory'> {
  return new Promise((resolve) => {
    const check = () => {
      if (device.isOpen()) resolve('phone');
      else if (device.storage.fault() === 'none') resolve('memory');
    };
    goOnInMemory = () => resolve('memory');
    device.storage.subscribe(check);
    device.open().then(check, check);
  });
}

/** `onDevice`: told of the device's database before it is open, for whoever watches its faults. */
export async function findStorage(
  onDevice: (device: DeviceDatabase) => void,
): Promise<PhoneStorage> {
  const device = new DeviceDatabase();
  onDevice(device);
  if ((await whereToKeep(device)) === 'phone') return { device, options: {} };
  device.close();
  const options = await memoryOptions();
  const inMemory = new DeviceDatabase(undefined, options);
  onDevice(inMemory);
  return { device: inMemory, options };
}

/** The person does not wait any longer for a storage that does not answer. */
export function goOnWithoutStorage(): void {
  goOnInMemory();
}
