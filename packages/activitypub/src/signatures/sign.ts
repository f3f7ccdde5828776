import { KeyObject, createPrivateKey, sign } from "node:crypto";
import { contentDigestHeader, digestHeader } from "../digest.ts";
import { ActivityPubError } from "../errors.ts";
import type { KeyLike } from "../keys.ts";
import { baseBytes } from "./request.ts";

/** A request to be signed and then sent unmodified. */
export type SignableRequest = {
  method: string;
  /** Absolute; a fragment is not sent and not signed. */
  url: string;
  /** By lower-case name. Include headers that the HTTP client would otherwise add, `user-agent` above all. */
  headers: Record<string, string>;
  body?: Uint8Array;
  /** `digestHeader` of the body, if already computed: one body may go to many recipients. */
  digest?: string;
};

/** A request with its signing key, at the moment of sending: sign again for each attempt. */
export type SigningRequest = SignableRequest & {
  keyId: string;
  /** RSA or Ed25519; a KeyObject avoids importing the key each time. */
  privateKey: KeyLike;
  now: Date;
};

/**
 * Signs by draft-cavage-http-signatures-12, which every peer accepts.
 * @param request `signedHeaders` replaces the list of signed headers: for a POST
 *   `(request-target) host date digest content-type user-agent collection-synchronization`, for a GET
 *   `(request-target) host date user-agent`, each only if the request has it. `signQuery: false` omits the query from
 *   the target, for peers that answer 401 to a GET signed with it.
 * @returns all headers to send: the given ones, `host`, `date`, with a body `digest`, and `signature`
 * @throws {ActivityPubError} `unsupported` for a listed header that is missing or not ASCII
 */
export async function signCavage(
  request: SigningRequest & { signedHeaders?: string[]; signQuery?: boolean },
): Promise<Record<string, string>> {
  const url = new URL(request.url);
  const headers = baseHeaders(request, url);
  if (request.body !== undefined)
    headers["digest"] = request.digest ?? digestHeader(request.body);
  const names = request.signedHeaders ?? defaultHeaders(headers);
  const query = request.signQuery === false ? "" : url.search;
  const target = `${request.method.toLowerCase()} ${url.pathname}${query}`;
  const lines = names.map((name) =>
    name === "(request-target)"
      ? `${name}: ${target}`
      : `${name}: ${valueOf(headers, name)}`,
  );
  const key = privateKeyOf(request.privateKey);
  const label = key.asymmetricKeyType === "rsa" ? "rsa-sha256" : "hs2019";
  const signature = await signBase(key, lines);
  headers["signature"] =
    `keyId="${request.keyId}",algorithm="${label}",` +
    `headers="${names.join(" ")}",signature="${signature}"`;
  return headers;
}

/**
 * Signs by RFC 9421, for peers that refuse draft-cavage. Never send both, since both use the header `Signature`.
 * @param request `components` replaces the list of covered components: `@method`, `@target-uri`, with a body
 *   `content-digest`, and `user-agent` if present. `label` is `sig1` by default. `expires` is optional.
 * @returns all headers to send: the given ones, `host`, `date`, with a body `content-digest`, and
 *   `signature-input` with `signature`
 * @throws {ActivityPubError} `unsupported` for a listed header that is missing or not ASCII
 */
export async function signRfc9421(
  request: SigningRequest & {
    components?: string[];
    label?: string;
    expires?: Date;
  },
): Promise<Record<string, string>> {
  const url = new URL(request.url);
  const headers = baseHeaders(request, url);
  if (request.body !== undefined) {
    headers["content-digest"] = contentDigestHeader(request.body);
  }
  const names = request.components ?? defaultComponents(headers);
  const key = privateKeyOf(request.privateKey);
  const algorithm =
    key.asymmetricKeyType === "rsa" ? "rsa-v1_5-sha256" : "ed25519";
  const label = request.label ?? "sig1";
  const parameters =
    `(${names.map((name) => `"${name}"`).join(" ")});alg="${algorithm}"` +
    `;keyid="${request.keyId}";created=${secondsOf(request.now)}` +
    (request.expires === undefined
      ? ""
      : `;expires=${secondsOf(request.expires)}`);
  const lines = names.map(
    (name) => `"${name}": ${componentOf(name, request.method, url, headers)}`,
  );
  lines.push(`"@signature-params": ${parameters}`);
  headers["signature-input"] = `${label}=${parameters}`;
  headers["signature"] = `${label}=:${await signBase(key, lines)}:`;
  return headers;
}

function baseHeaders(
  request: SigningRequest,
  url: URL,
): Record<string, string> {
  if (/["\\]/.test(request.keyId)) {
    throw new ActivityPubError("unsupported", "A key id with a quotation mark");
  }
  return {
    ...request.headers,
    host: url.host,
    date: request.now.toUTCString(),
  };
}

/** The header must be covered by the signature (FEP-8fcf). */
const SYNCHRONIZATION = "collection-synchronization";

function defaultHeaders(headers: Record<string, string>): string[] {
  const optional = ["digest", "content-type", "user-agent", SYNCHRONIZATION];
  const names = optional.filter(
    (name) =>
      name in headers && (name !== "content-type" || "digest" in headers),
  );
  return ["(request-target)", "host", "date", ...names];
}

function defaultComponents(headers: Record<string, string>): string[] {
  const optional = ["content-digest", "user-agent", SYNCHRONIZATION];
  const names = optional.filter((name) => name in headers);
  return ["@method", "@target-uri", ...names];
}

function componentOf(
  name: string,
  method: string,
  url: URL,
  headers: Record<string, string>,
): string {
  if (name === "@method") return method.toUpperCase();
  if (name === "@target-uri")
    return `${url.origin}${url.pathname}${url.search}`;
  if (name === "@authority") return url.host;
  return valueOf(headers, name);
}

function valueOf(headers: Record<string, string>, name: string): string {
  const value = headers[name]?.trim();
  if (value === undefined || !/^[\t\x20-\x7e]*$/.test(value)) {
    throw new ActivityPubError("unsupported", `${name} cannot be signed`);
  }
  return value;
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

function privateKeyOf(key: KeyLike): KeyObject {
  return key instanceof KeyObject ? key : createPrivateKey(key);
}

/** Signs in the thread pool: RSA takes a millisecond, and a fan-out signs thousands of requests. */
function signBase(key: KeyObject, lines: string[]): Promise<string> {
  const digest = key.asymmetricKeyType === "rsa" ? "sha256" : null;
  return new Promise((resolve, reject) => {
    sign(digest, baseBytes(lines), key, (error, signature) => {
      if (error === null) resolve(signature.toString("base64"));
      else reject(error);
    });
  });
}
