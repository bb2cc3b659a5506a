// Type-checks every context (tsconfig/*.json) in parallel and prints the results.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';

const contexts = readdirSync('tsconfig').filter((name) => name !== 'base.json');
const codes = await Promise.all(
  contexts.map(
    (name) =>
      new Promise((resolve) => {
        const tsc = spawn('node_modules/.bin/tsc', ['-p', `tsconfig/${name}`], {
          stdio: 'inherit',
        });
        tsc.on('exit', resolve);
      }),
  ),
);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
