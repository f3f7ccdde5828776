/** A host that an operator says is found at an address of its own. */
export type FixedHost = {
  /** In lower case: a name, `*.` and a name for all below it, or `*` for all. */
  readonly name: string;
  /** IPv4 or IPv6, without brackets. */
  readonly address: string;
  readonly port: number;
};

/**
 * Where the operator says that a host is; the closest of several entries counts.
 * An IP address is no name: no entry speaks of it.
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
