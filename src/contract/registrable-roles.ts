/** Only these two register themselves; Admin is made by the deployment or by an admin. */
export const registrableRoles = ['Customer', 'Employee'] as const;
