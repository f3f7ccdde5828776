/** A host with a fixed address, set by the operator. */
export type FixedHost = {
  /**
   * In lower case: a name, `*.` and a name for its subdomains, or `*` for all.
   */
  readonly name: string;
  /** IPv4 or IPv6, without brackets. */
  readonly address: string;
  readonly port: number;
};

/**
 * Finds the fixed address of a host; the most specific entry wins. Entries do
 * not apply to IP addresses.
 * @param host as a URL has it
 */
export function findFixedHost(
  hosts: readonly FixedHost[],
  host: string,
): FixedHost | undefined {
  if (/^[\d.]+$|^\[/.test(host)) return undefined;
  let closest: FixedHost | undefined;
  for (const one of hosts) {
    if (one.name === host) return one;
    if (!covers(one.name, host)) continue;
    if (closest === undefined || one.name.length > closest.name.length)
      closest = one;
  }
  return closest;
}

function covers(name: string, host: string): boolean {
  if (name === "*") return true;
  return name.startsWith("*.") && host.endsWith(name.slice(1));
}
