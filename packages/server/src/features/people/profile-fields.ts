import { KithError } from "../../lib/errors.ts";
import { storableText } from "../../lib/well-formed.ts";

/** A custom line of a profile. Name: one line of plain text; value: Markdown. */
export type ProfileField = { readonly name: string; readonly value: string };

/** The highest limits among known servers; lengths are in code points. */
export const MAX_FIELDS = 20;
export const MAX_FIELD_NAME_LENGTH = 255;
export const MAX_FIELD_VALUE_LENGTH = 2048;

/** Bidirectional control characters in a name would also reorder the text after it. */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g;

function readName(name: string): string {
  return storableText(name)
    .replace(/\p{Cc}/gu, " ")
    .replace(TURNS, "")
    .replace(/\s+/g, " ")
    .trim();
}

function shorten(text: string, max: number): string {
  return text.length <= max ? text : [...text].slice(0, max).join("");
}

/**
 * Reads a remote person's fields as they are stored. Fields without a name or a value are
 * dropped.
 */
export function readFields(given: readonly ProfileField[]): ProfileField[] {
  return given.slice(0, MAX_FIELDS).flatMap((field) => {
    const name = shorten(readName(field.name), MAX_FIELD_NAME_LENGTH);
    const value = shorten(
      storableText(field.value).trim(),
      MAX_FIELD_VALUE_LENGTH,
    );
    return name === "" || value === "" ? [] : [{ name, value }];
  });
}

/**
 * Checks the fields of a local person; those with neither name nor value are left out.
 * @throws {KithError} `bad_request`
 */
export function checkFields(given: readonly ProfileField[]): ProfileField[] {
  const fields = given
    .map(({ name, value }) => ({
      name: readName(name),
      value: storableText(value).trim(),
    }))
    .filter(({ name, value }) => name !== "" || value !== "");
  if (fields.length > MAX_FIELDS)
    throw refusal(`A profile has at most ${MAX_FIELDS} fields.`);
  for (const { name, value } of fields) {
    if (name === "" || value === "")
      throw refusal("Each field must have a name and a value.");
    if ([...name].length > MAX_FIELD_NAME_LENGTH)
      throw refusal(
        `The name of a field must have at most ${MAX_FIELD_NAME_LENGTH} characters.`,
      );
    if ([...value].length > MAX_FIELD_VALUE_LENGTH)
      throw refusal(
        `The value of a field must have at most ${MAX_FIELD_VALUE_LENGTH} characters.`,
      );
  }
  return fields;
}

const refusal = (words: string) => new KithError("bad_request", words);
