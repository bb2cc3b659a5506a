/**
 * A backend that somebody else wrote from the specification's sections 3 and 7 alone: its own ids,
 * rows with those fields and no others, no versions, cursors, keys, events, push or /config.json.
 * Over real HTTP, in memory; serves the built PWA as well. It enforces nothing but who is signed in.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { close, open } from './local-server.ts';

export interface PlainOptions {
  /** What it does with a field that the table does not list. */
  unknownFields?: 'refused' | 'ignored';
  /** What its changes answer: 'response shape not shown'. */
  answers?: 'row' | 'message' | 'nothing';
  /** How rows name people. */
  people?: 'objects' | 'ids';
  /** The body of its refusals. */
  refusals?: 'json' | 'text';
}

interface PlainUser {
  _id: string;
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string;
  address: string;
  status: string;
  roles: string[];
  password: string;
}

export interface PlainPackage {
  _id: string;
  packageId: string;
  senderId: string;
  deliveryPersonId: string | null;
  [field: string]: unknown;
}

export interface Heard {
  method: string;
  path: string;
  body: Record<string, unknown>;
}

type Refuse = (status: number, message: string) => never;

class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const refuse: Refuse = (status, message) => {
  throw new Refused(status, message);
};

const mediaTypes: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** As a document database makes them. */
const newId = () => randomBytes(12).toString('hex');

const shipment = [
  'recipientName',
  'recipientPhone',
  'recipientEmail',
  'pickupAddress',
  'deliveryAddress',
  'pickupDate',
  'deliveryDate',
  'description',
];
const fieldsOf: Record<string, readonly string[]> = {
  'POST /api/auth/signup': ['email', 'password', 'role'],
  'POST /api/auth/login': ['email', 'password'],
  'POST /api/packages': [...shipment, 'senderId', 'priceOffer', 'paymentMethod'],
  'PATCH /api/packages/:id': [
    ...shipment,
    'deliveryPersonId',
    'deliveryStatus',
    'paymentStatus',
    'priceOffer',
    'paymentMethod',
  ],
  'PATCH /api/users': [
    'id',
    'firstName',
    'lastName',
    'email',
    'phoneNumber',
    'address',
    'password',
    'roles',
    'active',
  ],
  'DELETE /api/users': ['id'],
  'POST /api/payments/initiate': ['email', 'amount'],
};

export class PlainServer {
  readonly users = new Map<string, PlainUser>();
  readonly packages = new Map<string, PlainPackage>();
  /** Every call of /api but for refreshes and lists, oldest first. */
  readonly heard: Heard[] = [];
  private readonly tokens = new Map<string, string>();
  private readonly cookies = new Map<string, string>();
  private readonly deposits = new Map<string, { amount: number; polls: number }>();
  private readonly faults: { method: string; path: RegExp; fault: 'lost' | number }[] = [];
  private readonly http = createServer((request, response) => void this.answer(request, response));
  url = '';

  constructor(private readonly options: PlainOptions = {}) {}

  async start(): Promise<this> {
    this.url = `http://localhost:${await open(this.http)}`;
    return this;
  }

  stop(): Promise<void> {
    return close(this.http);
  }

  addUser(role: 'Customer' | 'Employee' | 'Admin', firstName: string): PlainUser {
    const user: PlainUser = {
      _id: newId(),
      firstName,
      lastName: 'Bello',
      email: `${firstName.toLowerCase()}@plain.test`,
      phoneNumber: '08031234567',
      address: '1 Zoo Road',
      status: role,
      roles: [role],
      password: 'password1',
    };
    this.users.set(user._id, user);
    return user;
  }

  addPackage(senderId: string, fields: Record<string, unknown> = {}): PlainPackage {
    const number = this.packages.size + 1;
    const row: PlainPackage = {
      _id: newId(),
      packageId: `PKG${number}`,
      senderId,
      deliveryPersonId: null,
      recipientName: 'Musa Ibrahim',
      recipientPhone: '08057654321',
      description: `Parcel ${number}`,
      pickupAddress: '12 Kofar Mata Road',
      deliveryAddress: '4 Zoo Road',
      pickupDate: new Date(Date.now() + 86_400_000).toISOString(),
      priceOffer: 1500,
      paymentMethod: 'cash',
      ...fields,
    };
    this.packages.set(row._id, row);
    return row;
  }

  /** The next such call has its effect, but its answer is lost; or is refused with this status. */
  failNext(method: string, where: RegExp, fault: 'lost' | number = 'lost'): void {
    this.faults.push({ method, path: where, fault });
  }

  /** Access tokens end now; `isWhole`: and so do refresh cookies. */
  expire(isWhole = false): void {
    this.tokens.clear();
    if (isWhole) this.cookies.clear();
  }

  /** The calls that change something, as 'METHOD path'. */
  changes(): string[] {
    return this.heard
      .filter(({ method, path: where }) => method !== 'GET' && !where.includes('/auth/'))
      .map(({ method, path: where }) => `${method} ${where}`);
  }

  private person(id: unknown): unknown {
    const user = this.users.get(String(id));
    if (!user) return null;
    if (this.options.people === 'ids') return user._id;
    const { password: _, roles: __, status: ___, address: ____, ...party } = user;
    return party;
  }

  private shown(row: PlainPackage): unknown {
    return {
      ...row,
      senderId: this.person(row.senderId),
      deliveryPersonId: this.person(row.deliveryPersonId),
    };
  }

  private tokenOf(user: PlainUser): { accessToken: string } {
    const { _id: id, email, roles, firstName, lastName } = user;
    const payload = { userInfo: { id, email, roles, firstName, lastName }, jti: randomUUID() };
    const accessToken = `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.s`;
    this.tokens.set(accessToken, id);
    return { accessToken };
  }

  private done(row: unknown): unknown {
    const { answers = 'row' } = this.options;
    if (answers === 'row') return row;
    return answers === 'message' ? { message: 'Done' } : undefined;
  }

  private callerOf(request: IncomingMessage): PlainUser {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    return this.users.get(this.tokens.get(token) ?? '') ?? refuse(401, 'Unauthorized');
  }

  private cookieOf(request: IncomingMessage): string {
    return /jwt=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
  }

  private insistOnFields(route: string, body: Record<string, unknown>): Record<string, unknown> {
    const known = fieldsOf[route];
    if (!known) return body;
    const unknown = Object.keys(body).filter((name) => !known.includes(name));
    if (unknown.length > 0 && this.options.unknownFields !== 'ignored') {
      refuse(400, `Unknown field ${unknown.join(', ')}`);
    }
    return Object.fromEntries(Object.entries(body).filter(([name]) => known.includes(name)));
  }

  private signIn(user: PlainUser, response: ServerResponse): unknown {
    const cookie = randomUUID().replaceAll('-', '');
    this.cookies.set(cookie, user._id);
    response.setHeader('set-cookie', `jwt=${cookie}; HttpOnly; Path=/; SameSite=Strict`);
    return this.tokenOf(user);
  }

  private withEmail(email: unknown): PlainUser | undefined {
    return [...this.users.values()].find((user) => user.email === email);
  }

  private session(
    route: string,
    request: IncomingMessage,
    response: ServerResponse,
    body: Heard['body'],
  ) {
    switch (route) {
      case 'POST /api/auth/signup': {
        if (this.withEmail(body.email)) refuse(409, 'Email exists');
        const user = this.addUser(body.role as 'Customer', String(body.email).split('@')[0] ?? '');
        Object.assign(user, { email: body.email, password: body.password });
        return {
          ...this.tokenOf(user),
          user: { _id: user._id, email: user.email, roles: user.roles },
        };
      }
      case 'POST /api/auth/login': {
        const user = this.withEmail(body.email) ?? refuse(404, 'No such user');
        if (user.password !== body.password) refuse(401, 'Wrong');
        return this.signIn(user, response);
      }
      case 'GET /api/auth/refresh': {
        const user = this.users.get(this.cookies.get(this.cookieOf(request)) ?? '');
        return this.tokenOf(user ?? refuse(403, 'Refresh token expired'));
      }
      case 'POST /api/auth/logout':
        this.cookies.delete(this.cookieOf(request));
        return undefined;
      default:
        return refuse(404, 'Not found');
    }
  }

  private handle(route: string, id: string, caller: PlainUser, body: Heard['body']): unknown {
    const found = () => this.packages.get(id) ?? refuse(404, 'Package not found');
    switch (route) {
      case 'GET /api/users':
        return [...this.users.values()].map(({ password: _, ...user }) => ({
          ...user,
          balance: 2500,
        }));
      case 'PATCH /api/users': {
        const user = this.users.get(String(body.id)) ?? refuse(404, 'User not found');
        const { id: _, ...changes } = body;
        return this.done(Object.assign(user, changes));
      }
      case 'DELETE /api/users':
        return this.users.delete(String(body.id))
          ? this.done({ message: 'Deleted' })
          : refuse(404, 'None');
      case 'GET /api/packages':
        return [...this.packages.values()].map((row) => this.shown(row));
      case 'GET /api/packages/:id':
        return this.shown(found());
      case 'POST /api/packages':
        return this.done(this.shown(this.addPackage(String(body.senderId ?? caller._id), body)));
      case 'PATCH /api/packages/:id':
        return this.done(this.shown(Object.assign(found(), body)));
      case 'DELETE /api/packages/:id':
        this.packages.delete(found()._id);
        return this.done({ message: 'Package deleted' });
      case 'POST /api/payments/initiate': {
        const reference = newId();
        this.deposits.set(reference, { amount: Number(body.amount), polls: 0 });
        const authorization_url = `${this.url}/deposit?reference=${reference}`;
        return { data: { authorization_url, reference } };
      }
      case 'GET /api/payments/verify/:id': {
        const deposit = this.deposits.get(id) ?? refuse(404, 'Unknown reference');
        deposit.polls += 1;
        return { depositedAmount: deposit.polls > 1 ? deposit.amount : 0 };
      }
      default:
        return refuse(404, 'Not found');
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url);
    const method = request.method ?? 'GET';
    if (!pathname.startsWith('/api/')) return this.file(pathname, response);
    let text = '';
    for await (const part of request) text += String(part);
    const at = this.faults.findIndex((one) => one.method === method && one.path.test(pathname));
    const [fault] = at < 0 ? [] : this.faults.splice(at, 1);
    const route = `${method} ${pathname.replace(/^(\/api\/(packages|payments\/verify)\/)[^/]+$/, '$1:id')}`;
    const say = (status: number, body: unknown, type = 'application/json') => {
      if (fault?.fault === 'lost') {
        // The beginning of the answer arrives: without one, Chromium repeats the request by itself.
        response.writeHead(200, { 'content-type': type, 'content-length': '1000' });
        response.write('{', () => request.socket.destroy());
        return;
      }
      response.writeHead(status, { 'content-type': type });
      response.end(
        typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body),
      );
    };
    try {
      if (typeof fault?.fault === 'number') refuse(fault.fault, 'Not today');
      const sent = text === '' ? {} : (JSON.parse(text) as Heard['body']);
      if (method !== 'GET') this.heard.push({ method, path: pathname, body: sent });
      const isSession = pathname.startsWith('/api/auth/');
      const body = this.insistOnFields(route, sent);
      const answer = isSession
        ? this.session(route, request, response, body)
        : this.handle(
            route,
            decodeURIComponent(pathname.split('/').at(-1) ?? ''),
            this.callerOf(request),
            body,
          );
      say(answer === undefined ? 204 : 200, answer);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { status, message } = error;
      if (this.options.refusals === 'text') say(status, message, 'text/plain');
      else say(status, { message });
    }
  }

  private async file(pathname: string, response: ServerResponse): Promise<void> {
    const dist = path.resolve('dist/web');
    const isFile = path.extname(pathname) !== '';
    try {
      const file = isFile
        ? path.join(dist, path.normalize(pathname))
        : path.join(dist, 'index.html');
      const bytes = await readFile(file);
      const type = mediaTypes[path.extname(file)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type });
      response.end(bytes);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' });
      response.end('Not found');
    }
  }
}
