import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { PaymentStatus } from '#contract/package.ts';
import type { InitiatedPayment } from '#contract/payment.ts';
import { pathOf, routes } from '#contract/routes.ts';

export const demoPassword = 'kaya-demo';

type Role = 'Customer' | 'Employee' | 'Admin';
export type Name = { firstName: string; lastName: string };

export interface DemoAccount extends Name {
  role: Role;
  email: string;
}

export function emailOf({ firstName, lastName }: Name): string {
  return `${firstName}.${lastName}@kaya.test`.toLowerCase();
}

export type Decision = 'pay' | 'decline' | 'abandon';

const tokenMs = 10 * 60 * 1000;

export interface Surroundings {
  app: FastifyInstance;
  now: () => number;
}

export class Person {
  private cookie = '';
  private token = '';
  private tokenAt = Number.NEGATIVE_INFINITY;
  id = '';

  constructor(
    private readonly around: Surroundings,
    readonly account: DemoAccount,
    /** One per person, to stay below the sign-up limit. */
    private readonly address: string,
  ) {}

  private async inject(request: InjectOptions): Promise<LightMyRequestResponse> {
    const answer = await this.around.app.inject({ ...request, remoteAddress: this.address });
    if (answer.statusCode >= 400) {
      throw new Error(
        `The demo's ${request.method} ${request.url} was refused: ${answer.statusCode} ${answer.body}`,
      );
    }
    const [cookie] = answer.cookies;
    if (cookie) this.cookie = `${cookie.name}=${cookie.value}`;
    return answer;
  }

  private async freshToken(): Promise<string> {
    const now = this.around.now();
    if (now < this.tokenAt || now - this.tokenAt > tokenMs) {
      const { method, path: url } = routes.refresh;
      const answer = await this.inject({ method, url, headers: { cookie: this.cookie } });
      this.keep(answer.json().accessToken);
    }
    return this.token;
  }

  private keep(token: string) {
    this.token = token;
    this.tokenAt = this.around.now();
  }

  private async call<T>(
    { method, path }: Pick<(typeof routes)[keyof typeof routes], 'method' | 'path'>,
    payload: object,
    params: Record<string, string> = {},
  ): Promise<T> {
    const headers = { authorization: `Bearer ${await this.freshToken()}` };
    const answer = await this.inject({ method, url: pathOf(path, params), headers, payload });
    return answer.json<T>();
  }

  async signUp(phoneNumber: string) {
    const { email, role, firstName, lastName } = this.account;
    const credentials = { email, password: demoPassword };
    if (role !== 'Admin') {
      const { method, path: url } = routes.signUp;
      await this.inject({ method, url, payload: { ...credentials, role } });
    }
    const { method, path: url } = routes.login;
    const payload = { ...credentials, trustDevice: true };
    const session = await this.inject({ method, url, payload });
    this.keep(session.json().accessToken);
    const claims = Buffer.from(this.token.split('.')[1] ?? '', 'base64url').toString();
    this.id = JSON.parse(claims).userInfo.id;
    const profile = { id: this.id, firstName, lastName, email, phoneNumber };
    await this.call(routes.patchUser, profile);
  }

  createPackage(body: object): Promise<{ _id: string; paymentStatus: PaymentStatus }> {
    return this.call(routes.createPackage, body);
  }

  async patchPackage(id: string, body: object) {
    await this.call(routes.patchPackage, body, { id });
  }

  async adjustBalance(of: Person, amount: number, reason: string) {
    await this.call(routes.adjustBalance, { id: of.id, amount, reason });
  }

  /** Starts a top-up and decides it on the payment page; the sandbox's webhook credits it. */
  async topUp(amount: number, decision: Decision) {
    const { email } = this.account;
    const { data } = await this.call<InitiatedPayment>(routes.initiatePayment, { email, amount });
    await this.inject({
      method: 'POST',
      url: new URL(data.authorization_url).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `decision=${decision}`,
    });
  }
}
