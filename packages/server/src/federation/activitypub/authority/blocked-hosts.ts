/**
 * Which servers are shut out: what they send is answered 403, and they are asked
 * for nothing. Named by origin.
 */
export type BlockedHosts = {
  readonly isBlocked: (origin: string) => Promise<boolean>;
};

/** As long as nobody can say which. */
export const NOBODY_BLOCKED: BlockedHosts = { isBlocked: async () => false };
