import { AwsClient } from "aws4fetch";
import type { S3Place } from "./s3-place.ts";

/** An address is the same for this long, so that browsers know a file that they have. */
const STEP_S = 60;

export type SignedFile = {
  readonly mediaType: string;
  /** From now on; the address is good for up to a minute less. */
  readonly seconds: number;
  readonly now: Date;
};

/** Makes addresses at which the store itself sends a file, for a while, to anybody. */
export type SignAddress = (key: string, file: SignedFile) => Promise<string>;

/** "Authenticating Requests: Using Query Parameters" of the Amazon S3 API reference. */
export function createSignAddress(place: S3Place): SignAddress {
  const { keyId, secret, region, bucket, prefix, endpoint } = place;
  const client = new AwsClient({
    ...{ accessKeyId: keyId, secretAccessKey: secret, region, service: "s3" },
  });
  return async (key, { mediaType, seconds, now }) => {
    const url = new URL(`${endpoint}/${bucket}/${prefix}${key}`);
    url.searchParams.set("X-Amz-Expires", String(seconds));
    url.searchParams.set(
      "response-cache-control",
      `private, max-age=${seconds}`,
    );
    url.searchParams.set("response-content-type", mediaType);
    const signed = await client.sign(url, {
      method: "GET",
      aws: { signQuery: true, datetime: inBasicFormat(stepOf(now)) },
    });
    return signed.url;
  };
}

const stepOf = (now: Date) =>
  new Date(Math.floor(now.getTime() / (STEP_S * 1000)) * STEP_S * 1000);

/** ISO 8601 as signatures have it: `20261129T050000Z`. */
function inBasicFormat(date: Date): string {
  return date.toISOString().replace(/[:-]|\.\d{3}/g, "");
}
