import fc from "fast-check";
import type { Arbitrary } from "fast-check";
import type { Entity, EntityType } from "../src/index.ts";

export const guid = fc.oneof(
  { weight: 9, arbitrary: guidOf(40) },
  { weight: 1, arbitrary: guidOf(254) },
);

function guidOf(most: number): Arbitrary<string> {
  return fc.stringMatching(
    new RegExp(`^[0-9A-Za-z\\-_@.:]{15,${most}}[0-9A-Za-z]$`),
  );
}

/** With names, labels and addresses of every form, with and without a port. */
export const handle = fc
  .tuple(
    fc.stringMatching(/^[a-z0-9äß_.-]{1,12}$/),
    fc.oneof(
      fc.stringMatching(/^[a-z0-9-]{1,10}\.example$/),
      fc.constantFrom("localhost", "192.0.2.7", "[2001:db8::1]"),
    ),
    fc.oneof(
      fc.constant(""),
      fc.integer({ min: 1, max: 65535 }).map((port) => `:${port}`),
    ),
  )
  .map(([name, host, port]) => `${name}@${host}${port}`);
const day = fc
  .date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59Z"),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());
export const timestamp = day.map((iso) => `${iso.slice(0, 19)}Z`);
export const date = day.map((iso) => iso.slice(0, 10));
export const url = fc.webUrl({ validSchemes: ["http", "https"] });
export const path = fc.stringMatching(/^\/[a-z0-9/._-]{0,30}$/);

/** Text allowed in XML, with fragile parts: line ends, markup, blanks at both ends. */
const xmlText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "\r\n",
        "\r",
        "\n",
        "\t",
        "]]>",
        "&amp;",
        "<![CDATA[",
        " ",
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) =>
    parts
      .join("")
      .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ""),
  );

export function text(max: number): Arbitrary<string> {
  return xmlText
    .map((value) => [...value].slice(0, max).join(""))
    .filter((value) => value !== "");
}

export function name(max: number): Arbitrary<string> {
  return text(max)
    .map((value) => value.replaceAll(";", ""))
    .filter((value) => value !== "");
}

/** A record whose keys in `optional` may be missing, not undefined. */
export function entity(
  type: EntityType,
  required: Record<string, Arbitrary<unknown>>,
  optional: Record<string, Arbitrary<unknown>> = {},
): Arbitrary<Entity> {
  const shape: Record<string, Arbitrary<unknown>> = {
    type: fc.constant(type),
    ...required,
    ...optional,
  };
  const requiredKeys = ["type", ...Object.keys(required)];
  return fc
    .record(shape, { requiredKeys, noNullPrototype: true })
    .map((value) => value as unknown as Entity);
}
