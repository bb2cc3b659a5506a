/** What the sandbox's top-ups and transfers share. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Database } from '#server/database/database.ts';

export const sandboxPath = '/sandbox/paystack';

export interface SandboxNeeds {
  app: FastifyInstance;
  db: Database;
  secretKey: string;
  ownUrl: () => string;
  now: () => Date;
}

/** A refusal in Paystack's words. */
export function refuse(reply: FastifyReply, status: number, message: string) {
  return reply.code(status).send({ status: false, message });
}
