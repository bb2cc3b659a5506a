import type { OperationName } from '#domain/operation-names.ts';
import { localized } from '#messages/localized.ts';

/** Typed as any text, so that translations may differ. */
const perOperation = (texts: Record<OperationName, string>) => texts;

export const operations = localized('operations', {
  names: perOperation({
    createPackage: 'Create package',
    editPackage: 'Edit package',
    acceptPackage: 'Accept delivery',
    rejectDelivery: 'Reject delivery',
    pickUp: 'Picked up',
    arrive: 'Arrived',
    failAttempt: 'Could not deliver',
    startReturn: 'Start return',
    finishReturn: 'Returned to sender',
    deliverPackage: 'Package delivered',
    openDispute: 'Report a problem',
    // A delivery, or a return that its sender declared.
    confirmDelivery: 'Confirm',
    correctStep: 'Undo',
    uploadProof: 'Send picture',
    deletePackage: 'Delete package',
    editProfile: 'Edit profile',
  }),
  successes: perOperation({
    createPackage: 'Package created successfully!',
    editPackage: 'Package updated successfully!',
    acceptPackage: 'Delivery accepted!',
    rejectDelivery: 'Delivery rejected successfully',
    pickUp: 'Package picked up!',
    arrive: 'Marked as arrived!',
    failAttempt: 'Failed attempt recorded',
    startReturn: 'Return started',
    finishReturn: 'Package returned',
    deliverPackage: 'Package marked as delivered!',
    openDispute: 'Problem reported',
    confirmDelivery: 'Confirmed. Thank you',
    correctStep: 'Step taken back',
    uploadProof: 'Picture sent',
    deletePackage: 'Package deleted successfully',
    editProfile: 'User updated successfully!',
  }),
  severalSent: (count: number) => `${count} changes sent`,
  /** Toast for refusals that arrive later; opens Changes. */
  refusedLater: {
    several: (count: number) => `${count} changes need attention`,
    named: (refusal: string, subject: string) => `${subject}: ${refusal}`,
    look: 'View',
  },
  /** Toast for a refused operation; `reason` may be empty. */
  updateFailed: (reason: string) => (reason ? `Update failed: ${reason}` : 'Update failed'),
  /** For operations with a failure message of their own. */
  failures: {
    createPackage: () => 'Failed to create package. Please try again.',
    acceptPackage: () => 'Failed to accept package. Please try again.',
    rejectDelivery: (reason) => `Failed to reject delivery: ${reason || 'Please try again'}`,
    deletePackage: (reason) => `Failed to delete package: ${reason || 'Please try again'}`,
    editProfile: (reason) => reason || 'Failed to update user',
  } as Partial<Record<OperationName, (reason: string) => string>>,
});
