import { checkContentDigest } from "../digest.ts";
import { signatureError } from "../errors.ts";
import { baseBytes, hasBody, headerValue, indexHeaders } from "./request.ts";
import type { HeaderLines, ReceivedRequest } from "./request.ts";
import type { Rfc9421Signature } from "./rfc9421.ts";
import { checkExpires, checkHost, checkWindow } from "./rules.ts";
import type { VerifyOptions } from "./rules.ts";

const ALGORITHMS = new Set([undefined, "rsa-v1_5-sha256", "ed25519"]);

/** Checks everything except the key and returns the signature base (RFC 9421 §2.5, §3.2). */
export function inspectRfc9421(
  request: ReceivedRequest,
  parsed: Rfc9421Signature,
  options: VerifyOptions,
): Uint8Array[] {
  if (!ALGORITHMS.has(parsed.algorithm)) {
    throw signatureError("unsupported-algorithm", "An unknown algorithm");
  }
  const lines = indexHeaders(request);
  checkCoverage(request, parsed.components);
  if (parsed.created === undefined) throw signatureError("date-not-covered");
  checkWindow(parsed.created, options.now);
  if (parsed.expires !== undefined) checkExpires(parsed.expires, options.now);
  if (parsed.components.includes("host")) {
    checkHost(headerValue(lines, "host") ?? "", options.origin);
  }
  if (parsed.components.includes("content-digest")) {
    checkContentDigest(
      headerValue(lines, "content-digest") ?? "",
      request.body ?? new Uint8Array(),
    );
  }
  const signed = parsed.components.map(
    (name) => `"${name}": ${componentOf(name, request, lines, options.origin)}`,
  );
  return [baseBytes([...signed, `"@signature-params": ${parsed.parameters}`])];
}

function checkCoverage(request: ReceivedRequest, components: string[]): void {
  const covers = (...names: string[]) =>
    names.every((name) => components.includes(name));
  if (!covers("@method")) throw signatureError("method-not-covered");
  if (
    !covers("@target-uri") &&
    !covers("@authority", "@request-target") &&
    !covers("@authority", "@path", "@query")
  ) {
    throw signatureError("request-target-not-covered");
  }
  if (hasBody(request) && !covers("content-digest")) {
    throw signatureError("digest-not-covered");
  }
}

function componentOf(
  name: string,
  request: ReceivedRequest,
  lines: HeaderLines,
  origin: string,
): string {
  if (!name.startsWith("@")) {
    const value = headerValue(lines, name);
    if (value === undefined) throw signatureError("listed-header-missing");
    return value;
  }
  const url = new URL(origin);
  const query = request.path.indexOf("?");
  switch (name) {
    case "@method":
      return request.method;
    case "@target-uri":
      return `${url.origin}${request.path}`;
    case "@authority":
      return url.host;
    case "@scheme":
      return url.protocol.slice(0, -1);
    case "@request-target":
      return request.path;
    case "@path":
      return query < 0 ? request.path : request.path.slice(0, query);
    case "@query":
      return query < 0 ? "?" : request.path.slice(query);
    default:
      throw signatureError("malformed-signature-header", `${name} is unknown`);
  }
}
