import type { HostPolicies } from "../../../features/host-policies/index.ts";
import { KithError } from "../../../lib/errors.ts";

/**
 * Blocked servers: their requests are answered 403, and they are not contacted.
 * Named by a host, an origin, or any URL there.
 */
export type BlockedHosts = {
  readonly isBlocked: (address: string) => Promise<boolean>;
  /**
   * Refuses requests that involve a blocked server.
   * @returns undefined if all are known to be allowed, so that there is nothing
   *   to await
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
