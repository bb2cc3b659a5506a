export const size = { packages: 10_000, users: 500 };
/** Each with one call at a time. */
export const connections = 10;
export const secret = 'only-for-the-bench-only-for-the-bench';
