/**
 * A page of before that this server does not understand any more is told so before its call does
 * anything: it keeps what it has to send, and offers the update. Clients that name no version are
 * taken to follow the published document.
 */
import type { FastifyInstance } from 'fastify';
import { headers } from '#contract/headers.ts';
import { Refusal } from '#server/refusal.ts';
import { isUnderApi } from './api-path.ts';

export function addContractVersion(app: FastifyInstance, oldest: number): void {
  app.addHook('onRequest', (request, _, done) => {
    const named = request.headers[headers.contractVersion];
    const isOld = typeof named === 'string' && /^\d{1,6}$/.test(named) && Number(named) < oldest;
    done(isOld && isUnderApi(request) ? new Refusal('app_outdated') : undefined);
  });
}
