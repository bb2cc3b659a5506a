import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error('No package.json above the server.');
    folder = parent;
  }
  return folder;
}

/** From server/ as well as from dist/server. */
const projectRoot = findRoot();

/** SQL migrations and drizzle's journal. */
export const migrationsFolder = path.join(projectRoot, 'server', 'migrations');
/** The built PWA; if missing, only the API is served. */
export const webFolder = path.join(projectRoot, 'dist', 'web');
/** Resolves a relative DATA_DIR. */
export function fromProjectRoot(folder: string): string {
  return path.resolve(projectRoot, folder);
}
