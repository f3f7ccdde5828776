import { OperatorError } from "../errors.ts";
import { readUploadId, readUploadList } from "./read-object-list.ts";
import { expectSuccess, listParts, type S3Client } from "./s3-client.ts";

/** At least 5 MiB, but for the last one; at most 10,000 of an object. */
export const PART_BYTES = 16 * 1024 * 1024;
const MAX_PARTS = 9_000;

/** How long the parts of an object of this size are. */
export function partBytesFor(size: number, least = PART_BYTES): number {
  return Math.max(least, Math.ceil(size / MAX_PARTS));
}

/**
 * Stores a large object in parts, of which one is in memory at a time. Until all are there, there
 * is no object; after a failure the parts are given up. @throws {OperatorError}
 */
export async function uploadParts(
  client: S3Client,
  key: string,
  chunks: AsyncIterable<Uint8Array>,
  partBytes: number,
): Promise<void> {
  const begun = await client.call(key, {
    ...{ method: "POST", query: { uploads: "" } },
  });
  const uploadId = readUploadId(await expectSuccess(begun, "begun"));
  try {
    const tags: string[] = [];
    for await (const body of inParts(chunks, partBytes)) {
      const partNumber = String(tags.length + 1);
      const answer = await client.call(key, {
        ...{ method: "PUT", query: { partNumber, uploadId }, body },
      });
      await expectSuccess(answer, "stored");
      tags.push(answer.headers.get("etag") ?? "");
    }
    await complete(client, key, uploadId, tags);
  } catch (error) {
    await giveUpUpload(client, { key, id: uploadId }).catch(() => {
      // It is found again by listUploads; the first error says more.
    });
    throw error;
  }
}

async function complete(
  client: S3Client,
  key: string,
  uploadId: string,
  tags: readonly string[],
): Promise<void> {
  const parts = tags.map(
    (tag, index) =>
      `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
  const answer = await client.call(key, {
    ...{ method: "POST", query: { uploadId }, body: Buffer.from(body) },
  });
  // An error may come with the status 200.
  const text = await expectSuccess(answer, "stored");
  if (!text.includes("<CompleteMultipartUploadResult"))
    throw new OperatorError("The object store has not stored it.");
}

const escapeXml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

async function* inParts(
  chunks: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Buffer> {
  const part = Buffer.allocUnsafe(partBytes);
  let filled = 0;
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length;) {
      const some = chunk.subarray(at, at + partBytes - filled);
      part.set(some, filled);
      at += some.length;
      filled += some.length;
      if (filled < partBytes) continue;
      yield part;
      filled = 0;
    }
  if (filled > 0) yield part.subarray(0, filled);
}

/** Uploads that were begun below the prefix and neither completed nor given up; with whole keys. */
export function listUploads(client: S3Client) {
  const { prefix } = client.place;
  const query = { uploads: "", ...(prefix !== "" && { prefix }) };
  return listParts(client, query, readUploadList);
}

/** @param upload its key without the prefix of the place */
export async function giveUpUpload(
  client: S3Client,
  { key, id: uploadId }: { readonly key: string; readonly id: string },
): Promise<void> {
  const asked = { method: "DELETE", query: { uploadId } } as const;
  const answer = await client.call(key, asked);
  if (answer.status === 404) await answer.body?.cancel();
  else await expectSuccess(answer, "given up");
}
