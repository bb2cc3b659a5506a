/** /api/packages/{id}/proofs/{proofId}: bytes instead of JSON. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';
import { maxPictureBytes, pictureTypes } from '#contract/proof.ts';
import { routes } from '#contract/routes.ts';
import { parseParams, type RouteKit } from '#server/http/contract-routes.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { MoneyTerms } from '#server/modules/packages/package-money.ts';
import { pictureArrived } from '#server/modules/packages/pictures.ts';
import type { Caller } from '#server/plugins/authentication.ts';
import { answerError } from '#server/plugins/errors.ts';
import type { RateLimits } from '#server/plugins/rate-limits.ts';
import type { Picture } from './picture.ts';
import { digestOf, type PictureStore } from './picture-store.ts';
import { getProof, type ProofCall, putProof } from './service.ts';

/**
 * A picture is never read as a page, whatever its bytes are. A browser may keep it, and asks each time
 * whether its user may still see it: somebody else may have signed in, and pictures expire.
 */
const pictureHeaders = {
  'cache-control': 'private, no-cache',
  vary: 'authorization',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'content-disposition': 'inline',
};

/** The bytes, or 304 for who has them. */
export function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bytes }: Picture,
): FastifyReply {
  const etag = `"${digestOf(bytes)}"`;
  reply.headers({ ...pictureHeaders, etag });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.type(type).send(Buffer.from(bytes));
}

interface Needs {
  now: () => Date;
  store: PictureStore;
  limits: Pick<RateLimits, 'storePicture'>;
  terms: MoneyTerms;
}

export async function addProofRoutes(
  { app, db, authenticate }: RouteKit,
  { now, store, limits, terms }: Needs,
) {
  const callOf = (request: FastifyRequest, { actor }: Caller) => {
    const { id, proofId } = parseParams(routes.putProof.params, request.params);
    return { actor, packageId: id, proofId };
  };

  app.route({
    method: routes.getProof.method,
    url: routes.getProof.path,
    handler: async (request, reply) => {
      const call = callOf(request, await authenticate(request));
      return sendPicture(request, reply, await getProof({ db, store }, call));
    },
  });

  // In a context of its own: nowhere else is a body anything but JSON.
  await app.register(async (own) => {
    const calls = new WeakMap<FastifyRequest, ProofCall>();
    own.removeAllContentTypeParsers();
    own.addContentTypeParser([...pictureTypes], { parseAs: 'buffer' }, (_, body, done) =>
      done(null, body),
    );
    own.route({
      method: routes.putProof.method,
      url: routes.putProof.path,
      bodyLimit: maxPictureBytes,
      // Before the bytes are read.
      onRequest: async (request) => {
        calls.set(request, callOf(request, await authenticate(request)));
      },
      errorHandler: (error, request, reply) => {
        const isTooLarge = 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
        return answerError(isTooLarge ? new Refusal('picture_too_large') : error, request, reply);
      },
      handler: async (request, reply) => {
        const call = calls.get(request);
        if (!call) throw new Refusal('unauthenticated');
        if (!Buffer.isBuffer(request.body)) throw new Refusal('unsupported_media');
        const digestHeader = String(request.headers[headers.contentDigest] ?? '');
        const given = { ...call, bytes: request.body, digestHeader, now: now() };
        await putProof({ db, store, limits }, given);
        // Also after a repeat: the earlier call may have ended between the two.
        await pictureArrived({ db, now, terms }, call.packageId);
        return reply.code(routes.putProof.status).send({ _id: call.proofId });
      },
    });
  });
}
