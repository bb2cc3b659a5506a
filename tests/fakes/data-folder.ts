/**
 * Data folders of a fresh server: creating the embedded database takes seconds, copying it a
 * fraction. The first caller has a server of this build create one for all.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { startServer } from './server-process.ts';

const store = path.resolve('.tmp');

/** From another build, which may have other tables. */
function removeOthers(current: string): void {
  for (const name of readdirSync(store)) {
    const isOther = /^data-\w{16}$/.test(name) && name !== current;
    if (isOther) rmSync(path.join(store, name), { recursive: true, force: true });
  }
}

async function firstFolder(): Promise<string> {
  const build = readFileSync('dist/.kaya-built');
  const name = `data-${createHash('sha256').update(build).digest('hex').slice(0, 16)}`;
  const made = path.join(store, name);
  if (existsSync(made)) return made;
  const unfinished = path.join(store, randomUUID());
  mkdirSync(unfinished, { recursive: true });
  const server = await startServer({ env: { DATA_DIR: unfinished } });
  const { code, stderr } = await server.stop();
  if (code !== 0) throw new Error(`The first server ended with ${code}: ${stderr}`);
  try {
    renameSync(unfinished, made);
    removeOthers(name);
  } catch (error) {
    // Another process was faster; its folder is equivalent.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(made)) throw error;
  }
  return made;
}

/** Fills `folder`, creating it if necessary. */
export async function fillDataFolder(folder: string): Promise<void> {
  cpSync(await firstFolder(), folder, { recursive: true });
}
