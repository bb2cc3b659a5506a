import type { AddUserBody, AdjustBalanceBody } from '#contract/user.ts';
import type { User } from '#domain/user.ts';

/** What admins alone ask of the server, at once and never queued (DESIGN.md section 5). */
export interface AdministrationApi {
  addUser(body: AddUserBody, key: string): Promise<User>;
  deleteUser(id: string, key: string): Promise<User>;
  adjustBalance(body: AdjustBalanceBody, key: string): Promise<User>;
}
