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
 * Resolves localhost alone. Name servers of the network may be slow or silent, or answer for
 * names that do not exist.
 */
export async function resolveLocalHost(host: string) {
  if (/(?:^|\.)localhost$/.test(host)) return resolveHost();
  const message = `${host} is not localhost`;
  throw Object.assign(new Error(message), { code: "ENOTFOUND" });
}
