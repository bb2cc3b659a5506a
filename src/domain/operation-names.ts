/** Separate from the table of operations, which the first screen does not need. */

/** Every operation; domain/operation defines their rules. */
export const operationNames = [
  'createPackage',
  'editPackage',
  'acceptPackage',
  'rejectDelivery',
  'pickUp',
  'arrive',
  'failAttempt',
  'startReturn',
  'finishReturn',
  'deliverPackage',
  'openDispute',
  'confirmDelivery',
  'correctStep',
  'uploadProof',
  'deletePackage',
  'editProfile',
] as const;

export type OperationName = (typeof operationNames)[number];

/** Raise it when the stored shape changes, with a step in domain/operation-migrations. */
export const operationSchemaVersion = 1;
