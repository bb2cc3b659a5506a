import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { headers } from '#contract/headers.ts';
import { addRequestMetrics } from '#server/modules/metrics/request-metrics.ts';

const route = '/api/answers/:status';

/** A server that answers with the requested status. */
function stand() {
  const app = Fastify();
  const registry = new Registry();
  addRequestMetrics(app, registry);
  app.post<{ Params: { status: string } }>(route, async ({ params }, reply) => {
    if (params.status === 'replayed') reply.header(headers.idempotencyReplayed, 'true');
    return reply.code(Number(params.status) || 201).send();
  });
  const counted = async () => {
    const sample = /^kaya_operations_total\{method="POST",route="(.+)",outcome="(.+)"\} (\d+)$/gm;
    const all = [...(await registry.metrics()).matchAll(sample)];
    return all.filter(([, path]) => path === route).map(([, , outcome, n]) => [outcome, Number(n)]);
  };
  return { app, counted };
}

describe('a mutation', () => {
  it.each([
    ['201', 'done'],
    ['replayed', 'replayed'],
    ['401', 'signed_out'],
    ['404', 'refused'],
    ['409', 'conflict'],
    ['422', 'refused'],
    ['429', 'rate_limited'],
    ['500', 'failed'],
    ['502', 'failed'],
    ['503', 'unavailable'],
  ])('answered %s is counted once as %s', async (status, outcome) => {
    const { app, counted } = stand();
    await app.inject({ method: 'POST', url: `/api/answers/${status}` });
    const isCounted = (await counted()).filter(([, count]) => count !== 0);
    expect(isCounted).toEqual([[outcome, 1]]);
  });
});
