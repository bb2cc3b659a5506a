/** What queued operations are called, and what is said once the server has answered: SPEC.md section 8. */
import type { OperationName } from '#domain/operation.ts';

type PerOperation = Record<OperationName, string>;

export const operations = {
  names: {
    createPackage: 'Create package',
    editPackage: 'Edit package',
    acceptPackage: 'Accept delivery',
    rejectDelivery: 'Reject delivery',
    deliverPackage: 'Package delivered',
    deletePackage: 'Delete package',
    editProfile: 'Edit profile',
  } satisfies PerOperation as PerOperation,
  /** However late. */
  successes: {
    createPackage: 'Package created successfully!',
    editPackage: 'Package updated successfully!',
    acceptPackage: 'Delivery accepted!',
    rejectDelivery: 'Delivery rejected successfully',
    deliverPackage: 'Package marked as delivered!',
    deletePackage: 'Package deleted successfully',
    editProfile: 'User updated successfully!',
  } satisfies PerOperation as PerOperation,
  severalSent: (count: number) => `${count} changes sent`,
  /** The toast for what was refused while nobody was waiting for it; it opens Changes. */
  refusedLater: {
    several: (count: number) => `${count} changes need attention`,
    named: (refusal: string, subject: string) => `${subject}: ${refusal}`,
    look: 'Look',
  },
  /** The toast for a refused operation; `reason` may be empty. */
  failures: {
    create: 'Failed to create package. Please try again.',
    accept: 'Failed to accept package. Please try again.',
    reject: (reason: string) => `Failed to reject delivery: ${reason || 'Please try again'}`,
    delete: (reason: string) => `Failed to delete package: ${reason || 'Please try again'}`,
    edit: (reason: string) => (reason ? `Update failed: ${reason}` : 'Update failed'),
    profile: (reason: string) => reason || 'Failed to update user',
  },
};
