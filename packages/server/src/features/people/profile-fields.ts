import { KithError } from "../../lib/errors.ts";
import { storableText } from "../../lib/well-formed.ts";

/** A line of a profile that its owner named. Name: one line of plain text; value: Markdown. */
export type ProfileField = { readonly name: string; readonly value: string };

/** As many as the servers show that show most; the lengths are in code points. */
export const MAX_FIELDS = 20;
const MAX_NAME_LENGTH = 255;
const MAX_VALUE_LENGTH = 2048;

/** What turns letters around would turn what stands behind the name, too. */
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

/** The fields of somebody elsewhere as they are kept. Without a name or a value one is none. */
export function readFields(given: readonly ProfileField[]): ProfileField[] {
  return given.slice(0, MAX_FIELDS).flatMap((field) => {
    const name = shorten(readName(field.name), MAX_NAME_LENGTH);
    const value = shorten(storableText(field.value).trim(), MAX_VALUE_LENGTH);
    return name === "" || value === "" ? [] : [{ name, value }];
  });
}

/**
 * The fields that somebody here gives itself; those without name and value are left out.
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
    if ([...name].length > MAX_NAME_LENGTH)
      throw refusal(
        `The name of a field must have at most ${MAX_NAME_LENGTH} characters.`,
      );
    if ([...value].length > MAX_VALUE_LENGTH)
      throw refusal(
        `The value of a field must have at most ${MAX_VALUE_LENGTH} characters.`,
      );
  }
  return fields;
}

const refusal = (words: string) => new KithError("bad_request", words);
