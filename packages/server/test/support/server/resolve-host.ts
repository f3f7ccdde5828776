import { lookup } from "node:dns/promises";

/** All names of the town are of this machine. */
export async function resolveHost() {
  const found = await lookup("localhost", { all: true });
  return found.map(({ address, family }) => ({
    address,
    family: family === 6 ? (6 as const) : (4 as const),
  }));
}

/**
 * Knows names of this machine alone. The name servers of the network may be slow, silent, or
 * answer for names that nobody has.
 */
export async function resolveLocalHost(host: string) {
  if (/(?:^|\.)localhost$/.test(host)) return resolveHost();
  const message = `${host} is on no machine of the tests`;
  throw Object.assign(new Error(message), { code: "ENOTFOUND" });
}
