import type { S3Address } from '#server/config/s3-address.ts';
import { type PictureStore, PictureStoreFailure } from './picture-store.ts';
import { createS3Store } from './s3-store.ts';

const needsSetting = async (): Promise<never> => {
  throw new PictureStoreFailure('The picture is in an object store, and S3_URL is not set.');
};

const databaseStore: PictureStore = {
  put: async (_, bytes) => bytes,
  get: needsSetting,
  remove: needsSetting,
};

/** The store for new pictures; bytes stored in rows stay readable. */
export const openPictureStore = (s3: S3Address | null): PictureStore =>
  s3 === null ? databaseStore : createS3Store(s3);
