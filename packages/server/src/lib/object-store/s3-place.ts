/** A bucket of an object store that speaks S3's protocol, and what opens it. */
export type S3Place = {
  /** `https://host[:port]` */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Stands before each key; ends in a slash, unless it is empty. */
  readonly prefix: string;
  readonly keyId: string;
  readonly secret: string;
};

const SCHEMES: Readonly<Record<string, string>> = {
  "s3:": "https",
  "s3+http:": "http",
};
/** The region of stores that have none. */
const USUAL_REGION = "us-east-1";
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/**
 * Reads `s3://KEY_ID:SECRET@host/bucket/prefix?region=…`, with key and secret in
 * percent-encoding; `s3+http://` for a store without TLS.
 * @returns undefined for anything else
 */
export function readS3Url(text: string): S3Place | undefined {
  const url = URL.parse(text);
  const scheme = url && SCHEMES[url.protocol];
  if (!url || scheme === undefined || url.host === "" || url.hash !== "")
    return undefined;
  const [keyId, secret] = [decode(url.username), decode(url.password)];
  const [bucket = "", ...folders] = url.pathname.split("/").slice(1);
  const region = url.searchParams.get("region") ?? USUAL_REGION;
  const others = [...url.searchParams.keys()].filter((it) => it !== "region");
  if (!keyId || !secret || !BUCKET.test(bucket) || others.length > 0)
    return undefined;
  const prefix = folders.filter((it) => it !== "").join("/");
  if (!/^[\w./-]*$/.test(prefix) || !/^[\w-]+$/.test(region)) return undefined;
  return {
    endpoint: `${scheme}://${url.host}`,
    ...{ region, bucket, keyId, secret },
    prefix: prefix === "" ? "" : `${prefix}/`,
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
