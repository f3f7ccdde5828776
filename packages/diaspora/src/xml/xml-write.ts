import { DiasporaError } from "../errors.ts";

const NOT_XML = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const NAME_START =
  ":A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F" +
  "\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}";
const NAME = new RegExp(
  `^[${NAME_START}][${NAME_START}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040]*$`,
  "u",
);

/**
 * Replaces every character that XML 1.0 does not allow (control characters, lone surrogates, U+FFFE, U+FFFF) by U+FFFD.
 * Apply it before signing, because the receiver verifies the replaced text.
 */
export function replaceNonXmlCharacters(text: string): string {
  return text.replace(NOT_XML, "\uFFFD");
}

/**
 * Writes one element with text. A carriage return becomes `&#13;`, because a literal one would arrive as a line feed and
 * no longer match the signature.
 * @throws {DiasporaError} `invalid_property` if `name` is not a valid element name
 */
export function textElement(name: string, text: string): string {
  if (!NAME.test(name)) {
    throw new DiasporaError(
      "payload",
      "invalid_property",
      "A property's name is no XML name",
    );
  }
  if (text === "") return `<${name}/>`;
  return `<${name}>${escapeText(text)}</${name}>`;
}

function escapeText(text: string): string {
  return replaceNonXmlCharacters(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}
