/** Pages that only people at the server's own machine may see. */
import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Names of this machine, as in `request.hostname`. */
export const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

const isLoopback = (ip: string) => ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback';
const forwarding = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/;

/** A proxy on this machine connects from it too, for others: most name them, or the site. */
export const isFromHere = ({ ip, hostname, headers }: FastifyRequest) =>
  isLoopback(ip) &&
  localHosts.has(hostname) &&
  !Object.keys(headers).some((name) => forwarding.test(name));

/**
 * In the log of the start; the same for as long as `secret` is. Against a proxy on this machine that names
 * neither whom it passes on nor the site.
 */
export const keyOfPage = (secret: string, path: string) =>
  createHmac('sha256', secret).update(path).digest('base64url').slice(0, 22);
