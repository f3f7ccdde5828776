import type { HostPolicies } from "../../../features/host-policies/index.ts";
import { KithError } from "../../../lib/errors.ts";

/**
 * Which servers are shut out: what they send is answered 403, and they are asked
 * for nothing. Named by a host, by an
 * origin, or by any URL there.
 */
export type BlockedHosts = {
  readonly isBlocked: (address: string) => Promise<boolean>;
  /**
   * Refuses what has to do with a server that is shut out.
   * @returns undefined where all are known to be none, so that there is nothing to wait for
   * @throws {KithError} `forbidden`
   */
  readonly refuse: (
    addresses: readonly string[],
    message: string,
  ) => Promise<void> | undefined;
};

export function createBlockedHosts({
  isHostAllowed,
  peekHostAllowed,
}: Pick<HostPolicies, "isHostAllowed" | "peekHostAllowed">): BlockedHosts {
  const isBlocked = async (address: string): Promise<boolean> =>
    !(await isHostAllowed(address));
  async function refuseAsked(
    addresses: readonly string[],
    message: string,
  ): Promise<void> {
    for (const address of addresses)
      if (await isBlocked(address)) throw new KithError("forbidden", message);
  }
  return {
    isBlocked,
    refuse: (addresses, message) =>
      addresses.every((address) => peekHostAllowed(address) === true)
        ? undefined
        : refuseAsked(addresses, message),
  };
}
