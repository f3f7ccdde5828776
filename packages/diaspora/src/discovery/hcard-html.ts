import { Parser } from "htmlparser2";

/** The texts and image sources found in an hCard: the first match of each selector, not trimmed. */
export interface HcardValues {
  uid?: string;
  nickname?: string;
  fn?: string;
  givenName?: string;
  familyName?: string;
  key?: string;
  searchable?: string;
  podLocation?: string;
  photo?: string;
  photoMedium?: string;
  photoSmall?: string;
}

const TEXT_CLASSES = new Map<string, keyof HcardValues>([
  ["uid", "uid"],
  ["nickname", "nickname"],
  ["fn", "fn"],
  ["given_name", "givenName"],
  ["family_name", "familyName"],
  ["key", "key"],
  ["searchable", "searchable"],
]);
const PHOTO_CLASSES = new Map<string, keyof HcardValues>([
  ["entity_photo", "photo"],
  ["entity_photo_medium", "photoMedium"],
  ["entity_photo_small", "photoSmall"],
]);

/** A state that ends when the element at `depth` ends. */
interface Open {
  readonly field: keyof HcardValues;
  readonly depth: number;
}

/**
 * Walks once over untrusted HTML, without building a tree, and stops at the end of the card, so that neither depth nor size can exhaust it.
 * @see diaspora* federation protocol, hCard
 */
export function readHcardHtml(html: string): HcardValues {
  const reader = new HcardReader();
  const parser = new Parser(reader, {
    decodeEntities: true,
    lowerCaseTags: true,
    lowerCaseAttributeNames: true,
  });
  try {
    parser.write(html);
    parser.end();
  } catch (error) {
    if (!(error instanceof EnoughRead)) throw error;
  }
  return reader.values;
}

/** The parser's work grows with elements × depth. Real cards have some dozens of elements on few levels. */
const MAX_ELEMENTS = 5000;
const MAX_DEPTH = 100;

/** Values found before the limit count. */
class EnoughRead extends Error {}

class HcardReader {
  readonly values: HcardValues = {};
  #depth = 0;
  #elements = 0;
  #texts: Open[] = [];
  #photos: Open[] = [];

  onopentag(_name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    this.#elements += 1;
    if (this.#depth > MAX_DEPTH || this.#elements > MAX_ELEMENTS)
      throw new EnoughRead();
    const classes = (attributes["class"] ?? "").split(/\s+/);
    for (const name of classes) {
      const text = TEXT_CLASSES.get(name);
      if (text) this.#openText(text);
      const photo = PHOTO_CLASSES.get(name);
      if (photo) this.#openPhoto(photo);
    }
    if (attributes["id"] === "pod_location") this.#openText("podLocation");
    if (classes.includes("photo")) this.#takePhoto(attributes["src"]);
  }

  ontext(text: string): void {
    for (const { field } of this.#texts) {
      this.values[field] = (this.values[field] ?? "") + text;
    }
  }

  onclosetag(): void {
    this.#texts = this.#texts.filter(({ depth }) => depth < this.#depth);
    this.#photos = this.#photos.filter(({ depth }) => depth < this.#depth);
    this.#depth -= 1;
  }

  #openText(field: keyof HcardValues): void {
    if (this.values[field] !== undefined) return;
    this.values[field] = "";
    this.#texts.push({ field, depth: this.#depth });
  }

  #openPhoto(field: keyof HcardValues): void {
    // The outermost container is enough; more would make hostile nesting costly.
    if (this.#photos.some((open) => open.field === field)) return;
    this.#photos.push({ field, depth: this.#depth });
  }

  #takePhoto(source: string | undefined): void {
    if (source === undefined) return;
    for (const { field, depth } of this.#photos) {
      if (depth < this.#depth) this.values[field] ??= source;
    }
  }
}
