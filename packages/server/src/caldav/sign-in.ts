import type { FastifyRequest } from "fastify";
import type { SignedIn } from "../features/accounts/index.ts";
import { KithError } from "../lib/errors.ts";
import { isLoopbackAddress } from "../lib/http-client/addresses.ts";
import type { CalDavDeps } from "./context.ts";

/** RFC 7617. */
export const CHALLENGE = 'Basic realm="Kith", charset="UTF-8"';

/**
 * The user whose name and password the request has.
 * @throws {KithError} `unauthorized`, `too_many_requests`, or `forbidden` over a connection
 *   that others can read
 */
export async function signInProgram(
  { accounts }: Pick<CalDavDeps, "accounts">,
  request: FastifyRequest,
): Promise<SignedIn> {
  if (!isConfidential(request))
    throw new KithError("forbidden", "Passwords are taken over https alone.");
  const credentials = readBasic(request.headers.authorization);
  const user =
    credentials &&
    (await accounts.signInBasic({ ...credentials, from: request.network }));
  if (!user) throw new KithError("unauthorized", "No name and password.");
  request.countFor(user.userId);
  return user;
}

/** A proxy says that its client came over https; without one only this machine itself can. */
function isConfidential({ protocol, ip, headers }: FastifyRequest): boolean {
  // Nobody says so of itself without need: even a proxy that is not trusted is believed.
  if (headers["x-forwarded-proto"] === "http") return false;
  return protocol === "https" || isLoopbackAddress(ip);
}

const MAX_LENGTH = 8192;

function readBasic(header: string | undefined) {
  if (header === undefined || header.length > MAX_LENGTH) return undefined;
  const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 1) return undefined;
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}
