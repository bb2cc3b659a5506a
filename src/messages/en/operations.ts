/** What queued operations are called, and what is said once the server has answered. */
import type { OperationName } from '#domain/operation-names.ts';
import { localized } from '#messages/localized.ts';

type PerOperation = Record<OperationName, string>;

const updateFailed = (reason: string) => (reason ? `Update failed: ${reason}` : 'Update failed');

export const operations = localized('operations', {
  names: {
    createPackage: 'Create package',
    editPackage: 'Edit package',
    acceptPackage: 'Accept delivery',
    rejectDelivery: 'Reject delivery',
    deliverPackage: 'Package delivered',
    deletePackage: 'Delete package',
    editProfile: 'Edit profile',
  } as PerOperation,
  /** However late. */
  successes: {
    createPackage: 'Package created successfully!',
    editPackage: 'Package updated successfully!',
    acceptPackage: 'Delivery accepted!',
    rejectDelivery: 'Delivery rejected successfully',
    deliverPackage: 'Package marked as delivered!',
    deletePackage: 'Package deleted successfully',
    editProfile: 'User updated successfully!',
  } as PerOperation,
  severalSent: (count: number) => `${count} changes sent`,
  /** The toast for what was refused while nobody was waiting for it; it opens Changes. */
  refusedLater: {
    several: (count: number) => `${count} changes need attention`,
    named: (refusal: string, subject: string) => `${subject}: ${refusal}`,
    look: 'Look',
  },
  /** The toast for a refused operation; `reason` may be empty. */
  failures: {
    createPackage: () => 'Failed to create package. Please try again.',
    editPackage: updateFailed,
    acceptPackage: () => 'Failed to accept package. Please try again.',
    rejectDelivery: (reason) => `Failed to reject delivery: ${reason || 'Please try again'}`,
    deliverPackage: updateFailed,
    deletePackage: (reason) => `Failed to delete package: ${reason || 'Please try again'}`,
    editProfile: (reason) => reason || 'Failed to update user',
  } as Record<OperationName, (reason: string) => string>,
});
