/**
 * Which servers are shut out: what they send is answered 403, and they are asked
 * for nothing. Named by a host, by an
 * origin, or by any URL there.
 */
export type BlockedHosts = {
  readonly isBlocked: (address: string) => Promise<boolean>;
};
