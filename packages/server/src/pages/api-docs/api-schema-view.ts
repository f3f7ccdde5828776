import type { JsonSchema } from "../../http/api-document.ts";
import { html, type HtmlValue } from "../kit/html.ts";
import { pageTexts } from "../languages/texts.ts";

const texts = pageTexts.apiDocs;

type Read = {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly string[];
  readonly type?: string;
  readonly format?: string;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
};

const RECORD = "#/components/schemas/";

/**
 * Describes a schema in a few words; a record is a link to its list of fields.
 */
export function schemaView(schema: JsonSchema): HtmlValue {
  const {
    $ref,
    anyOf,
    enum: words,
    type,
    format,
    items,
    properties,
  } = schema as Read;
  if ($ref !== undefined) {
    const name = $ref.slice(RECORD.length);
    return html`<a href="#record-${name}">${name}</a>`;
  }
  if (anyOf)
    return anyOf.map((it, index) => [
      index > 0 && ` ${texts.or} `,
      schemaView(it),
    ]);
  if (words) return words.map((word) => `“${word}”`).join(", ");
  if (items) return html`${texts.listOf} ${schemaView(items)}`;
  if (properties) return `{ ${Object.keys(properties).join(", ")} }`;
  return texts.types[format ?? type ?? ""] ?? format ?? type;
}
