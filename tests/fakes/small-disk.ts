/**
 * A disk that can be filled to the last byte: a tmpfs if it can be mounted (as root); otherwise, or
 * with NO_MOUNT=1, a folder on which the server's writes fail with ENOSPC (failing-disk.mjs).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const failingDisk = pathToFileURL(path.resolve('tests/fakes/failing-disk.mjs')).href;

const mount = (mountPoint: string, bytes: number): boolean =>
  !process.env.NO_MOUNT &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', mountPoint]).status === 0;

function canMount(): boolean {
  const trial = mkdtempSync(path.join(tmpdir(), 'kaya-disk-'));
  const isMounted = mount(trial, 1024 * 1024);
  if (isMounted) spawnSync('umount', [trial]);
  rmSync(trial, { recursive: true });
  return isMounted;
}

export const diskKind = canMount() ? 'a tmpfs' : 'faked: none can be mounted here';

export interface SmallDisk {
  /** Does not exist yet. */
  dataDir: string;
  /** Settings of a server on it. */
  env: Record<string, string>;
  /** Leaves this many bytes free. */
  fill(left: number): void;
  /** Frees the space. */
  free(): void;
  /** Only without a server on it. */
  remove(): void;
}

export function smallDisk(bytes: number): SmallDisk {
  const home = mkdtempSync(path.join(tmpdir(), 'kaya-disk-'));
  const mountPoint = path.join(home, 'disk');
  mkdirSync(mountPoint);
  const dataDir = path.join(mountPoint, 'data');
  if (mount(mountPoint, bytes)) {
    const ballast = path.join(mountPoint, 'ballast');
    const free = () => rmSync(ballast, { force: true });
    return {
      dataDir,
      env: { DATA_DIR: dataDir },
      fill: (left) => {
        free();
        const { bavail, bsize } = statfsSync(mountPoint);
        writeFileSync(ballast, Buffer.alloc(bavail * bsize - left));
      },
      free,
      remove: () => {
        spawnSync('umount', [mountPoint]);
        rmSync(home, { recursive: true });
      },
    };
  }
  const room = path.join(home, 'room');
  const env = { DATA_DIR: dataDir, FAKE_ROOM: room, NODE_OPTIONS: `--import=${failingDisk}` };
  return {
    dataDir,
    env,
    fill: (left) => writeFileSync(room, String(left)),
    free: () => rmSync(room, { force: true }),
    remove: () => rmSync(home, { recursive: true }),
  };
}
