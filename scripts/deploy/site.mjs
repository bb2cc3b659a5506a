// @ts-check
// The site as seen by a client without a browser: by name and certificate, over TLS.
import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import { connect } from 'node:tls';

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {Buffer} body still encoded
 */

/**
 * @typedef {object} How
 * @property {string} [token]
 * @property {Record<string, string>} [headers]
 * @property {unknown} [body] sent as JSON; a string unchanged
 * @property {string} [from] source address
 */

/** @param {{ name: string, port: number, authority: string }} where */
export function createSite({ name, port, authority }) {
  const secure = { host: '127.0.0.1', servername: name, ca: authority };

  /** @param {number} at @param {boolean} isSecure @param {string} method @param {string} path @param {How} how
   * @returns {Promise<Answer>} */
  const send = (at, isSecure, method, path, { token, headers = {}, body, from }) =>
    new Promise((resolve, reject) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const asking = (isSecure ? httpsRequest : httpRequest)({
        ...secure,
        port: at,
        method,
        path,
        ...(from === undefined ? {} : { localAddress: from }),
        // A new connection each time, as from unrelated phones.
        agent: isSecure ? new TlsAgent({ maxCachedSessions: 0 }) : new Agent(),
        headers: {
          ...(isSecure ? { host: `${name}:${port}` } : {}),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...headers,
        },
      });
      asking.on('error', reject);
      asking.on('response', (response) => {
        /** @type {Buffer[]} */
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      });
      asking.end(text);
    });

  /** @param {string} method @param {string} path @param {How} [how] */
  const ask = (method, path, how = {}) => send(port, true, method, path, how);

  /** The parsed body; throws from status 300. @param {string} method @param {string} path @param {How} [how] @returns {Promise<any>} */
  async function call(method, path, how) {
    const { status, body } = await ask(method, path, how);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${body}`);
    return JSON.parse(String(body));
  }

  return {
    origin: `https://${name}:${port}`,
    ask,
    call,
    /** Without TLS, on another port. @param {number} at @param {string} path @param {How} [how] */
    askPlain: (at, path, how = {}) => send(at, false, 'GET', path, how),
    /** @param {{ email: string, password: string }} who @returns {Promise<string>} a token */
    signIn: async ({ email, password }) =>
      (await call('POST', '/api/auth/login', { body: { email, password } })).accessToken,

    /** A user's event stream; `next` resolves on the next event. @param {string} token */
    async listen(token) {
      const asking = httpsRequest({
        ...secure,
        port,
        path: '/api/events',
        agent: new TlsAgent(),
        headers: { host: `${name}:${port}`, authorization: `Bearer ${token}` },
      });
      /** @type {import('node:http').IncomingMessage} */
      const response = await new Promise((resolve, reject) => {
        asking.on('response', resolve).on('error', reject).end();
      });
      response.on('error', () => undefined);
      return {
        headers: response.headers,
        /** @returns {Promise<void>} */
        next: () =>
          new Promise((resolve) => {
            const hear = (/** @type {Buffer} */ chunk) => {
              if (!`${chunk}`.includes('event: ')) return;
              response.off('data', hear);
              resolve();
            };
            response.on('data', hear);
          }),
        close: () => asking.destroy(),
      };
    },

    /** A TLS handshake for `servername`: its protocols, or the error. @param {string} servername
     * @returns {Promise<string>} */
    handshake: (servername) =>
      new Promise((resolve) => {
        const socket = connect({ ...secure, port, servername, ALPNProtocols: ['h2', 'http/1.1'] });
        socket.on('error', (error) => resolve(error.message));
        socket.on('secureConnect', () => {
          resolve(`${socket.getProtocol()} ${socket.alpnProtocol}`);
          socket.destroy();
        });
      }),
  };
}

/** @typedef {ReturnType<typeof createSite>} Site */
