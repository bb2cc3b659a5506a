/** Worker fixtures of tests with a map: a tile service, and a server that is set to it. */
import { startTileServer, type TileServer } from '#tests/fakes/tile-server.ts';

type Use<Value> = (value: Value) => Promise<void>;

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures off this pattern.
export async function tileServer({}: object, use: Use<TileServer>) {
  const tiles = await startTileServer();
  await use(tiles);
  await tiles.close();
}

/** The server's settings for raster tiles. */
export const rasterEnv = (
  { tileServer: tiles }: { tileServer: TileServer },
  use: Use<Record<string, string>>,
) => use({ TILE_URL: tiles.template, TRUST_PROXY: 'on' });
