import type { OperationName } from '#domain/operation.ts';

/** What each operation is called on the Changes screen. */
export const names: Record<OperationName, string> = {
  createPackage: 'Create package',
  editPackage: 'Edit package',
  acceptPackage: 'Accept delivery',
  rejectDelivery: 'Reject delivery',
  deliverPackage: 'Package delivered',
  deletePackage: 'Delete package',
  editProfile: 'Edit profile',
};
