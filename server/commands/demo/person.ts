import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { RecordEventBody } from '#contract/event.ts';
import type { PaymentStatus } from '#contract/package.ts';
import type { InitiatedPayment } from '#contract/payment.ts';
import type { Payouts } from '#contract/payout.ts';
import { pathOf, routes } from '#contract/routes.ts';
import { readUserInfo } from '#domain/token.ts';

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

export class Person {
  private cookie = '';
  id = '';

  constructor(
    private readonly app: FastifyInstance,
    readonly account: DemoAccount,
    /** One per person, to stay below the sign-up limit. */
    private readonly address: string,
  ) {}

  private async inject(request: InjectOptions): Promise<LightMyRequestResponse> {
    const answer = await this.app.inject({ ...request, remoteAddress: this.address });
    if (answer.statusCode >= 400) {
      throw new Error(
        `The demo's ${request.method} ${request.url} was refused: ${answer.statusCode} ${answer.body}`,
      );
    }
    const [cookie] = answer.cookies;
    if (cookie) this.cookie = `${cookie.name}=${cookie.value}`;
    return answer;
  }

  /** A token for one call: the app's clock may jump by hours between two. */
  private async freshToken(): Promise<string> {
    const { method, path: url } = routes.refresh;
    const answer = await this.inject({ method, url, headers: { cookie: this.cookie } });
    return answer.json().accessToken;
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
    this.id = readUserInfo(session.json().accessToken).id;
    const profile = { id: this.id, firstName, lastName, email, phoneNumber };
    await this.call(routes.patchUser, profile);
  }

  createPackage(body: object): Promise<{ _id: string; paymentStatus: PaymentStatus }> {
    return this.call(routes.createPackage, body);
  }

  async patchPackage(id: string, body: object) {
    await this.call(routes.patchPackage, body, { id });
  }

  async recordEvent(id: string, event: RecordEventBody) {
    await this.call(routes.recordEvent, event, { id });
  }

  async adjustBalance(of: Person, amount: number, reason: string) {
    await this.call(routes.adjustBalance, { id: of.id, amount, reason });
  }

  async putBankAccount(account: { bankCode: string; accountNumber: string }) {
    await this.call(routes.putBankAccount, { ...account, password: demoPassword });
  }

  /** Pays out this share of what is available, in steps of ₦500; nothing if that is none. */
  async payOut(share: number) {
    const { method, path: url } = routes.listPayouts;
    const headers = { authorization: `Bearer ${await this.freshToken()}` };
    const { available } = (await this.inject({ method, url, headers })).json<Payouts>();
    const amount = Math.floor((available * share) / 500) * 500;
    if (amount > 0) await this.call(routes.createPayout, { amount });
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
