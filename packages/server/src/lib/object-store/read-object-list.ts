import { SaxesParser } from "saxes";
import { OperatorError } from "../errors.ts";

/** An object of a bucket. */
export type ListedObject = {
  readonly key: string;
  readonly modifiedAt: Date;
  readonly bytes: number;
};

/** A part of a list. */
export type ListPart<T> = {
  readonly items: readonly T[];
  /** The parameters that ask for the next part; undefined after the last one. */
  readonly next: Readonly<Record<string, string>> | undefined;
};

/** An upload in parts that was neither completed nor given up. */
export type ListedUpload = { readonly key: string; readonly id: string };

/** Reads the answer to ListObjectsV2 (Amazon S3 API reference). @throws for other XML */
export function readObjectList(xml: string): ListPart<ListedObject> {
  const { items, rest } = readList(xml, "ListBucketResult", "Contents");
  const token = rest.get("NextContinuationToken");
  const isCut = rest.get("IsTruncated") === "true";
  return {
    items: items.map(objectOf),
    next: isCut && token ? { "continuation-token": token } : undefined,
  };
}

/** Reads the answer to ListMultipartUploads (Amazon S3 API reference). @throws for other XML */
export function readUploadList(xml: string): ListPart<ListedUpload> {
  const { items, rest } = readList(xml, "ListMultipartUploadsResult", "Upload");
  const [key, id] = [rest.get("NextKeyMarker"), rest.get("NextUploadIdMarker")];
  const isCut = rest.get("IsTruncated") === "true";
  return {
    items: items.map((texts) => ({
      key: texts.get("Key") ?? "",
      id: texts.get("UploadId") ?? "",
    })),
    next:
      isCut && key && id
        ? { "key-marker": key, "upload-id-marker": id }
        : undefined,
  };
}

/** Reads the id in the answer to CreateMultipartUpload. @throws for other XML */
export function readUploadId(xml: string): string {
  const root = "InitiateMultipartUploadResult";
  const id = readList(xml, root, "").rest.get("UploadId");
  if (id) return id;
  throw new OperatorError("The object store began an upload without an id");
}

type Texts = ReadonlyMap<string, string>;

/** @returns the texts of each item, and those beside the items, by the names of their elements */
function readList(
  xml: string,
  wanted: string,
  item: string,
): { readonly items: readonly Texts[]; readonly rest: Texts } {
  const items: Texts[] = [];
  const rest = new Map<string, string>();
  let texts = rest;
  let text = "";
  let root: string | undefined;
  const parser = new SaxesParser({ xmlns: false });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => {
    root ??= name;
    text = "";
    if (name === item) texts = new Map();
  });
  parser.on("text", (more) => void (text += more));
  parser.on("closetag", ({ name }) => {
    if (name === item) {
      items.push(texts);
      texts = rest;
    } else if (!texts.has(name)) texts.set(name, text);
    text = "";
  });
  parser.write(xml).close();
  if (root !== wanted)
    throw new OperatorError(
      "The object store answered another list than was asked for",
    );
  return { items, rest };
}

function objectOf(texts: Texts): ListedObject {
  const key = texts.get("Key");
  const modifiedAt = new Date(texts.get("LastModified") ?? "");
  const bytes = Number(texts.get("Size"));
  if (key === undefined || Number.isNaN(modifiedAt.getTime()))
    throw new OperatorError(
      "The object store lists an object without name or time",
    );
  return { key, modifiedAt, bytes: Number.isFinite(bytes) ? bytes : 0 };
}
