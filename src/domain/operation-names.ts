/** Apart from the table of operations, which the first screen does without. */

/** Every operation; domain/operation says what is true of each. */
export const operationNames = [
  'createPackage',
  'editPackage',
  'acceptPackage',
  'rejectDelivery',
  'deliverPackage',
  'deletePackage',
  'editProfile',
] as const;

export type OperationName = (typeof operationNames)[number];

/** Raised with every change of what an operation stores, with a step in domain/operation-migrations. */
export const operationSchemaVersion = 2;
