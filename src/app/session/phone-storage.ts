/**
 * This page's storage: the phone's IndexedDB or, where the browser stores nothing (private windows,
 * blocked cookies), memory. The layers above do not differ.
 *
 *   opening ──▶ phone        ──no IndexedDB──▶ memory
 *      └──blocked, lost: shown while waiting ──user continues without it──▶ memory
 */
import { DeviceDatabase } from '#db/device-database.ts';
import type { ResilientDatabaseOptions } from '#db/resilient-database.ts';

export interface PhoneStorage {
  device: DeviceDatabase;
  options: ResilientDatabaseOptions;
}

async function memoryOptions(): Promise<ResilientDatabaseOptions> {
  const { keptInMemory } = await import('./memory-storage.ts');
  return keptInMemory();
}

let goOnInMemory = () => {};

/** Resolves once the phone's storage is open or known to be unavailable. */
function detectStorage(device: DeviceDatabase): Promise<'phone' | 'memory'> {
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

/** `onDevice` gets the device's database before it opens, so that its faults can be watched. */
export async function findStorage(
  onDevice: (device: DeviceDatabase) => void,
): Promise<PhoneStorage> {
  const device = new DeviceDatabase();
  onDevice(device);
  if ((await detectStorage(device)) === 'phone') return { device, options: {} };
  device.close();
  const options = await memoryOptions();
  const inMemory = new DeviceDatabase(undefined, options);
  onDevice(inMemory);
  return { device: inMemory, options };
}

/** The user stops waiting for storage that does not respond. */
export function goOnWithoutStorage(): void {
  goOnInMemory();
}
