import { SaxesParser } from "saxes";
import { OperatorError } from "../errors.ts";

/** An object of a bucket. */
export type ListedObject = {
  readonly key: string;
  readonly modifiedAt: Date;
  readonly bytes: number;
};

export type ObjectList = {
  readonly objects: readonly ListedObject[];
  /** Asks for the next part; undefined after the last one. */
  readonly next: string | undefined;
};

/** Reads the answer to ListObjectsV2 (Amazon S3 API reference). @throws for other XML */
export function readObjectList(xml: string): ObjectList {
  const objects: ListedObject[] = [];
  const ofList = new Map<string, string>();
  let texts = ofList;
  let text = "";
  let root: string | undefined;
  const parser = new SaxesParser({ xmlns: false });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => {
    root ??= name;
    text = "";
    if (name === "Contents") texts = new Map();
  });
  parser.on("text", (more) => void (text += more));
  parser.on("closetag", ({ name }) => {
    if (name === "Contents") {
      objects.push(objectOf(texts));
      texts = ofList;
    } else texts.set(name, text);
    text = "";
  });
  parser.write(xml).close();
  if (root !== "ListBucketResult")
    throw new OperatorError(
      "The object store answered another list than was asked for",
    );
  const isCut = ofList.get("IsTruncated") === "true";
  const next = isCut ? ofList.get("NextContinuationToken") : undefined;
  return { objects, next };
}

function objectOf(texts: ReadonlyMap<string, string>): ListedObject {
  const key = texts.get("Key");
  const modifiedAt = new Date(texts.get("LastModified") ?? "");
  const bytes = Number(texts.get("Size"));
  if (key === undefined || Number.isNaN(modifiedAt.getTime()))
    throw new OperatorError(
      "The object store lists an object without name or time",
    );
  return { key, modifiedAt, bytes: Number.isFinite(bytes) ? bytes : 0 };
}
