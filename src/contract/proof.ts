/** Pictures that prove a delivery: photos and signatures. */
import * as v from 'valibot';
import { idSchema } from './fields.ts';

export const pictureTypes = ['image/jpeg', 'image/webp', 'image/png'] as const;
export type PictureType = (typeof pictureTypes)[number];

/** In bytes. */
export const maxPictureBytes = 400_000;
/** Per side, in pixels. */
export const maxPictureSide = 4096;

export const storedProofSchema = v.object({ _id: idSchema });

/** The Content-Digest header of a SHA-256 in base64. */
export const contentDigest = (base64: string) => `sha-256=:${base64}:`;
