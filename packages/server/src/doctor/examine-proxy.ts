import { messageOf } from "../lib/errors.ts";
import { failed, ok, skipped, warning, type Finding } from "../lib/finding.ts";
import { findCertificateEnd } from "../lib/http-client/certificate-end.ts";
import type { FixedHost } from "../lib/http-client/fetch-hosts.ts";
import type { OutsideDeps } from "./examine-base-url.ts";

const MIB = 1024 * 1024;
/** Bytes of the form around a file. */
const FORM_BYTES = 0.5 * MIB;
const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Does the proxy pass on a body as large as an upload? Kith itself refuses it, in JSON,
 * because it has no token.
 */
export async function examineBodyLimit({
  baseUrl,
  fetch,
  apiVersion,
  maxFileBytes,
}: Pick<OutsideDeps, "baseUrl" | "fetch"> & {
  readonly apiVersion: string;
  /** Of the largest file that may be uploaded. */
  readonly maxFileBytes: number;
}): Promise<Finding> {
  const check = "body limit";
  const size = Math.ceil(maxFileBytes / MIB);
  const limit = size + 1;
  try {
    const { status, body } = await fetch.request({
      method: "POST",
      url: `${baseUrl}/api/${apiVersion}/photos`,
      headers: { "content-type": "application/octet-stream" },
      body: new Uint8Array(maxFileBytes + FORM_BYTES),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
    });
    if (Buffer.from(body).toString().startsWith(`{"error"`))
      return ok(check, `A body of ${size} MiB reaches the server.`);
    return status === 413
      ? failed(
          check,
          `The proxy refuses a body of ${size} MiB, such as a large photo or a video.`,
          `Raise its limit to ${limit} MiB: client_max_body_size ${limit}m in nginx, request_body max_size ${limit}MiB in Caddy.`,
        )
      : skipped(
          check,
          `Something before the server answered a large body with ${status}.`,
        );
  } catch (error) {
    return skipped(check, `No answer to a large body: ${messageOf(error)}.`);
  }
}

const DAY_MS = 86_400_000;
const WARN_DAYS = 14;

/** Is the certificate of the base URL renewed in time? */
export async function examineCertificate({
  baseUrl,
  clock,
  hosts,
}: Pick<OutsideDeps, "baseUrl" | "clock"> & {
  readonly hosts: readonly FixedHost[];
}): Promise<Finding> {
  const check = "certificate";
  if (!baseUrl.startsWith("https:"))
    return skipped(check, `${baseUrl} has none.`);
  const advice =
    "Renew it: see that certbot or the proxy does so by itself, and that port 80 is open for it.";
  try {
    const end = await findCertificateEnd(new URL(baseUrl), hosts);
    const days = Math.floor((end.getTime() - clock.now().getTime()) / DAY_MS);
    const says = `The certificate of ${baseUrl} is valid until ${end.toISOString().slice(0, 10)}.`;
    if (days < 0) return failed(check, says, advice);
    return days < WARN_DAYS ? warning(check, says, advice) : ok(check, says);
  } catch (error) {
    return failed(check, `There is none: ${messageOf(error)}.`, advice);
  }
}
