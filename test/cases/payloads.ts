import type { KeyRing } from "./network/keys.ts";
import { idOf, isRecord, objectsIn, parseOrNothing } from "./json.ts";

const STAND_IN = /("publicKeyPem"\s*:\s*)"(?:[^"\\]|\\.)*"/g;

/**
 * Replaces every placeholder `publicKeyPem` by the key with the id in its
 * `publicKey.id`. The text is otherwise unchanged, because some payloads are odd on
 * purpose.
 */
export async function putKeys(text: string, keys: KeyRing): Promise<string> {
  if (!text.includes("publicKeyPem")) return text;
  const pems: string[] = [];
  for (const object of objectsIn(parseOrNothing(text)))
    if ("publicKeyPem" in object) {
      const { publicPem } = await keys.get(idOf(object) ?? "none");
      pems.push(JSON.stringify(publicPem));
    }
  let seen = 0;
  return text.replace(STAND_IN, (whole, name: string) => {
    const pem = pems[seen];
    seen += 1;
    return pem === undefined ? whole : name + pem;
  });
}

/** An image named by a document, with its type. */
export type NamedPicture = { readonly url: string; readonly type: string };

/** The images named by a payload or document. */
export function picturesIn(document: unknown): NamedPicture[] {
  const found: NamedPicture[] = [];
  for (const object of objectsIn(document))
    for (const name of ["attachment", "icon", "image"] as const)
      for (const one of objectsIn(object[name])) {
        const type = pictureType(one);
        if (type === undefined) continue;
        for (const url of addressesOf(one)) found.push({ url, type });
      }
  return found;
}

function pictureType(object: Record<string, unknown>): string | undefined {
  const { mediaType, type } = object;
  if (typeof mediaType === "string" && mediaType.startsWith("image/"))
    return mediaType;
  return type === "Image" ? "image/png" : undefined;
}

function addressesOf(object: Record<string, unknown>): string[] {
  const found: string[] = [];
  for (const value of [object["url"], object["href"]])
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const url = isRecord(one) ? one["href"] : one;
      if (typeof url === "string") found.push(url);
    }
  return found;
}
