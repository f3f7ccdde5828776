import type { JsonSchema } from "../../packages/server/src/http/api-document.ts";

/** A value to send under a name. */
export type Wrong = {
  /** In words, for the report. */
  readonly what: string;
  readonly value: unknown;
  /** Whether it must be refused, or may also be accepted. */
  readonly isRefused: boolean;
};

/** The documented meaning of a parameter. */
type Read = {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly description?: string;
};

const LISTED: ReadonlySet<string> = new Set([
  ...["type", "description", "enum", "format", "pattern", "items"],
  ...["minimum", "maximum", "minLength", "maxLength"],
  ...["minItems", "maxItems", "uniqueItems"],
]);

/** Keywords of a schema for which nothing here has a value that violates them. */
export function listUnknownKeywords(schema: JsonSchema): string[] {
  const { items } = schema as Read;
  return [
    ...Object.keys(schema).filter((it) => !LISTED.has(it)),
    ...(items ? listUnknownKeywords(items) : []),
  ];
}

const LONG = 10_000;

/** Half a character, which is not a valid text. */
const LONE = "a\ud800b";

/** Of a type that no parameter has. */
const NO_TYPE: readonly Wrong[] = [
  refused("an object", { a: 1 }),
  refused("a list in a list", [["a"]]),
  refused("NUL", "a\0b"),
  refused("a lone surrogate", LONE),
];

const DATES: readonly Wrong[] = [
  refused("a word for a date", "yesterday"),
  refused("a day that there is not", "2027-02-30"),
  refused("a month that there is not", "2027-13-01T10:00:00Z"),
  refused("a number for a date", "1800000000"),
];

/** Values refused only under certain names: a parameter of one of these names must refuse them. */
const BY_NAME: readonly (readonly [RegExp, readonly Wrong[]])[] = [
  [/^(start|end|from|to|poll_ends_at|birthday)$/i, DATES],
  [/^time_?zone$/i, [refused("an unknown zone", "Mars/Phobos")]],
  [/^locale$/i, [refused("an unknown language", "xx-XX")]],
  [/_lat$/, [refused("beyond the pole", "90.1")]],
  [/_lng$/, [refused("beyond the date line", "180.1")]],
  [/^expression$/, [refused("a broken expression", "(")]],
];

/** For any text: it is accepted, or refused under its name. */
const ANY_TEXT: readonly Wrong[] = [
  perhaps("empty", ""),
  perhaps("blank", " \n"),
  perhaps("too long", "x".repeat(LONG)),
  perhaps("long, of more bytes", "🦌".repeat(LONG / 2)),
  perhaps("longer than any text", "x".repeat(70_000)),
  perhaps("a word", "deer"),
  perhaps("a negative number", "-1"),
  perhaps("a huge number", "9".repeat(30)),
  perhaps("a path", "../../etc/passwd"),
  perhaps("an address", "https://nowhere.invalid/x"),
  ...DATES.map((it) => ({ ...it, isRefused: false })),
];

/**
 * Invalid values for a name, according to its schema in the document.
 * @param isTyped whether it is in a body with types; elsewhere everything is text
 */
export function wrongValues(
  name: string,
  schema: JsonSchema,
  isTyped: boolean,
): Wrong[] {
  const wrong = wrongOf(name, schema);
  const isText = isFreeText(schema["items"] ?? schema);
  return isTyped || !isText
    ? wrong
    : wrong.map((it) =>
        typeof it.value === "string" && it.value !== LONE
          ? it
          : { ...it, isRefused: it.isRefused && it === TWICE },
      );
}

/** Any text, except for a choice or a file. */
function isFreeText(schema: unknown): boolean {
  const { type, enum: choices, format } = schema as Read;
  return type === "string" && choices === undefined && format !== "binary";
}

function wrongOf(name: string, schema: JsonSchema): Wrong[] {
  const it = schema as Read;
  switch (it.type) {
    case "integer":
      return [...NO_TYPE, TWICE, ...wrongIntegers(it)];
    case "boolean":
      return [...NO_TYPE, TWICE, ...WRONG_FLAGS];
    case "array":
      return wrongLists(name, it);
    default:
      return [...NO_TYPE, TWICE, ...wrongTexts(name, it)];
  }
}

/** Invalid values in a path: missing objects, or malformed addresses. */
const WRONG_PARTS: readonly string[] = [
  "deer",
  "0",
  "-1",
  "1.5",
  "1e3",
  "9".repeat(30),
  "x".repeat(LONG),
  "a%00b",
  "%ED%A0%80",
  "%F0%9F%A6%8C",
  "2027-02-30",
];

/** The same for one part; what is none of its choices is refused for certain. */
export function wrongParts(schema: JsonSchema): Wrong[] {
  const { enum: choices } = schema as Read;
  return WRONG_PARTS.map((value) => ({
    what: value.slice(0, 20),
    value,
    isRefused: choices !== undefined && !choices.includes(value),
  }));
}

function refused(what: string, value: unknown): Wrong {
  return { what, value, isRefused: true };
}

function perhaps(what: string, value: unknown): Wrong {
  return { what, value, isRefused: false };
}

const TWICE = refused("given twice", ["1", "1"]);

const WRONG_FLAGS: readonly Wrong[] = [
  refused("a word for a flag", "maybe"),
  refused("a number for a flag", 2),
  refused("blank", " "),
  refused("too long", "x".repeat(LONG)),
  perhaps("empty", ""),
];

function wrongIntegers({ minimum, maximum }: Read): Wrong[] {
  return [
    refused("a word for a number", "deer"),
    refused("a fraction", "1.5"),
    refused("a power", "1e3"),
    refused("hexadecimal", "0x10"),
    refused("blank", " "),
    refused("too long", "9".repeat(LONG)),
    refused("beyond what is exact", "9007199254740993"),
    refused("a flag for a number", true),
    perhaps("empty", ""),
    ...(minimum === undefined ? [] : [refused("too small", minimum - 1)]),
    ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
      ? []
      : [refused("too large", maximum + 1)]),
  ];
}

function wrongTexts(name: string, schema: Read): Wrong[] {
  if (!isFreeText(schema))
    return [
      refused("none of the choices", "deer"),
      refused("a number for a word", 5),
      refused("too long", "x".repeat(LONG)),
      perhaps("empty", ""),
    ];
  return [
    refused("a number for a word", 5),
    refused("a flag for a word", true),
    ...ANY_TEXT,
    ...tooLong(schema),
    ...ofWrongForm(schema),
    ...BY_NAME.flatMap(([names, wrong]) => (names.test(name) ? wrong : [])),
  ];
}

/** One character more than the documented limit. */
function tooLong({ description = "" }: Read): Wrong[] {
  const [, most] = /at most ([\d,]+) characters/i.exec(description) ?? [];
  if (most === undefined) return [];
  const length = Number(most.replaceAll(",", "")) + 1;
  return [refused(`of ${length} characters`, "x".repeat(length))];
}

/** Values that violate the keywords of a text. */
function ofWrongForm({
  minLength = 0,
  maxLength,
  pattern,
  format,
}: Read): Wrong[] {
  const long = maxLength === undefined ? "" : "🦌".repeat(maxLength + 1);
  const strange = "\u2603 \u{1F98C}";
  return [
    ...(minLength > 1
      ? [refused("too short", "🦌".repeat(minLength - 1))]
      : []),
    ...(maxLength === undefined
      ? []
      : [refused("longer than it may be", long)]),
    ...(pattern === undefined || new RegExp(pattern, "u").test(strange)
      ? []
      : [refused("of another form", strange)]),
    ...(format === undefined ? [] : [refused("of another format", strange)]),
  ];
}

function wrongLists(
  name: string,
  { items = {}, minItems = 0, maxItems = 100, uniqueItems = false }: Read,
): Wrong[] {
  const [first] = (items as Read).type === "integer" ? [1] : ["x"];
  const many = Array.from({ length: maxItems + 1 }, () => first);
  return [
    ...NO_TYPE,
    refused("too many", many),
    ...(minItems > 1 ? [refused("too few", many.slice(0, minItems - 1))] : []),
    ...(uniqueItems ? [refused("twice the same", [first, first])] : []),
    perhaps("none", []),
    // A repeated value may be valid.
    perhaps("given twice", [first, first]),
    ...wrongOf(name, items).filter(({ value }) => !Array.isArray(value)),
  ];
}
