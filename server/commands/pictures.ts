/**
 * `npm run pictures -- store` moves all photos and signatures to the object store of S3_URL,
 * `-- database` back; exits with 1 if one is lost or the store fails.
 */
import { exitWith } from '#server/config/startup-error.ts';
import { movePictures, type Place } from '#server/modules/proofs/move.ts';
import { openPictureStore } from '#server/modules/proofs/open-store.ts';
import { PictureStoreFailure } from '#server/modules/proofs/picture-store.ts';
import { runCommand } from './command.ts';

const isPlace = (name: string | undefined): name is Place =>
  name === 'store' || name === 'database';

const [given, ...more] = process.argv.slice(2);
const to =
  isPlace(given) && more.length === 0
    ? given
    : exitWith('Say where to: npm run pictures -- store, or npm run pictures -- database');

await runCommand(async (db, { s3 }) => {
  if (s3 === null) return exitWith('Set S3_URL to the object store, as the server has it.');
  try {
    const { moved, lost } = await movePictures({ db, store: openPictureStore(s3) }, to);
    const what = moved === 1 ? '1 picture' : `${moved} pictures`;
    process.stdout.write(`Moved ${what} to the ${to}.\n${lost.map((one) => `${one}\n`).join('')}`);
    if (lost.length > 0) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof PictureStoreFailure)) throw error;
    process.stdout.write(`The store failed: ${error.message} Run it again to continue.\n`);
    process.exitCode = 1;
  }
});
