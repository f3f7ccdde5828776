import { checkDigest } from "../digest.ts";
import { signatureError } from "../errors.ts";
import type { CavageSignature } from "./cavage.ts";
import { baseBytes, hasBody, headerValue, indexHeaders } from "./request.ts";
import type { HeaderLines, ReceivedRequest } from "./request.ts";
import {
  checkExpires,
  checkHost,
  checkWindow,
  parseHttpDate,
} from "./rules.ts";
import type { VerifyOptions } from "./rules.ts";

const LABELS = new Set([undefined, "rsa-sha256", "hs2019", "ed25519"]);

/**
 * Checks everything except the key and returns the possible signature bases: with the full target, and for a GET with a
 * query also with the path alone, as signed by Misskey, Fedify and others.
 * @see draft-cavage-http-signatures-12 §2
 */
export function inspectCavage(
  request: ReceivedRequest,
  parsed: CavageSignature,
  options: VerifyOptions,
): Uint8Array[] {
  if (!LABELS.has(parsed.algorithm)) {
    throw signatureError("unsupported-algorithm", "An unknown algorithm");
  }
  const lines = indexHeaders(request);
  checkCoverage(request, parsed);
  checkTimes(parsed, lines, options.now);
  checkHost(required(lines, "host"), options.origin);
  if (parsed.headers.includes("digest")) {
    checkDigest(required(lines, "digest"), request.body ?? new Uint8Array());
  }
  const bases = [baseOf(request, parsed, lines, request.path)];
  const query = request.path.indexOf("?");
  if (query >= 0 && !hasBody(request)) {
    const path = request.path.slice(0, query);
    bases.push(baseOf(request, parsed, lines, path));
  }
  return bases;
}

function checkCoverage(
  request: ReceivedRequest,
  { headers, algorithm }: CavageSignature,
): void {
  if (!headers.includes("(request-target)")) {
    throw signatureError("request-target-not-covered");
  }
  if (!headers.includes("host")) throw signatureError("host-not-covered");
  const hasCreated = headers.includes("(created)");
  if (!headers.includes("date") && !hasCreated) {
    throw signatureError("date-not-covered");
  }
  if (hasCreated && algorithm !== "hs2019") {
    throw signatureError(
      "malformed-signature-header",
      "(created) without the algorithm hs2019",
    );
  }
  if (hasBody(request) && !headers.includes("digest")) {
    throw signatureError("digest-not-covered");
  }
}

function checkTimes(
  { headers, created, expires }: CavageSignature,
  lines: HeaderLines,
  now: Date,
): void {
  if (headers.includes("date")) {
    checkWindow(parseHttpDate(required(lines, "date")), now);
  }
  if (created !== undefined) checkWindow(Number(created), now);
  if (expires !== undefined) checkExpires(Number(expires), now);
}

function baseOf(
  request: ReceivedRequest,
  parsed: CavageSignature,
  lines: HeaderLines,
  target: string,
): Uint8Array {
  const signed = parsed.headers.map((name) => {
    if (name === "(request-target)") {
      return `${name}: ${request.method.toLowerCase()} ${target}`;
    }
    if (name === "(created)") return `${name}: ${given(parsed.created)}`;
    if (name === "(expires)") return `${name}: ${given(parsed.expires)}`;
    return `${name}: ${required(lines, name)}`;
  });
  return baseBytes(signed);
}

function required(lines: HeaderLines, name: string): string {
  const value = headerValue(lines, name);
  if (value === undefined) {
    throw signatureError("listed-header-missing", `${name} is not there`);
  }
  return value;
}

function given(value: string | undefined): string {
  if (value === undefined) throw signatureError("listed-header-missing");
  return value;
}
