/** The stage with a map: a tile service beside the server. */
import type { Page } from '@playwright/test';
import { startTileServer, type TileServer } from '#tests/fakes/tile-server.ts';
import { enter } from './inside.ts';
import { type Account, test as base, expect } from './kaya.ts';

export { expect };

interface MapFixtures {
  /** Reset for every test: no faults, no counts. */
  tiles: TileServer;
}

interface MapWorkerFixtures {
  tileServer: TileServer;
}

/** `settings`: the server's, derived from the tile service's addresses. */
export function mapTest(settings: (tiles: TileServer) => Record<string, string>) {
  return base.extend<MapFixtures, MapWorkerFixtures>({
    tileServer: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures off this pattern.
      async ({}, use) => {
        const tiles = await startTileServer();
        await use(tiles);
        await tiles.close();
      },
      { scope: 'worker' },
    ],
    serverEnv: [async ({ tileServer }, use) => use(settings(tileServer)), { scope: 'worker' }],
    // Also for tests that do not use it: the previous test may have left a fault.
    tiles: [
      async ({ tileServer }, use) => {
        Object.assign(tileServer, { fault: 'none', asked: [], maxAgeSeconds: 3600 });
        await use(tileServer);
      },
      { auto: true },
    ],
  });
}

/** With raster tiles. One for all files, so that they share their servers. */
export const test = mapTest((tiles) => ({ TILE_URL: tiles.template }));

export class MapPage {
  readonly page: Page;
  readonly layer;
  readonly canvas;
  readonly popup;
  readonly credit;

  constructor(page: Page) {
    this.page = page;
    this.layer = page.getByTestId('map');
    this.canvas = this.layer.getByRole('region', { name: 'Map' });
    this.popup = this.layer.getByText('Your Current Location');
    this.credit = this.layer.getByText('OpenStreetMap');
  }

  /** Signs in and waits until tiles are visible. */
  async enter(account: Account): Promise<void> {
    await this.signIn(account);
    await this.isShown();
  }

  async signIn(account: Account): Promise<void> {
    await enter(this.page, account);
  }

  async isShown(): Promise<void> {
    await expect(this.layer).toHaveAttribute('data-shown', 'true', { timeout: 30_000 });
  }
}
