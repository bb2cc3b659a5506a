import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Resolves the peers from their own package, which the product does not depend on. */
const peers: Plugin = {
  name: 'peers',
  enforce: 'pre',
  resolveId(source) {
    const isPeer = /^(@tanstack|rxdb)\b/.test(source);
    if (!isPeer) return null;
    return this.resolve(source, here('../peers/package.json'), { skipSelf: true });
  },
};

/** One page per engine: two versions of Dexie in one page conflict. */
export default defineConfig({
  root: here('.'),
  plugins: [react(), peers],
  build: {
    rolldownOptions: {
      input: {
        kaya: here('kaya.html'),
        list: here('list.html'),
        tanstack: here('tanstack.html'),
        rxdb: here('rxdb.html'),
      },
    },
    outDir: here('../../dist/bench-client'),
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: true,
  },
});
