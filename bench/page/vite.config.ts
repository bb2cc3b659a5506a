import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The page compared with Kaya's first one, built like Kaya. */
export default defineConfig({
  root: here('.'),
  plugins: [react()],
  build: {
    rolldownOptions: { input: { bare: here('bare.html') } },
    outDir: here('../../dist/bench-page'),
    emptyOutDir: true,
    target: 'es2022',
  },
});
