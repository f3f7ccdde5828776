import type { JsonSchema } from "../../../packages/server/src/http/api-document.ts";
import { PASSWORD } from "../../../packages/server/test/support/server/kith-server.ts";
import type { Random } from "../../support/random.ts";
import type { FuzzWorld } from "./fuzz-world.ts";

/** The path segment before an identifier, if it is not the record's name in the plural. */
const RECORD_OF_SEGMENT: Readonly<Record<string, string>> = {
  people: "Person",
  tokens: "Token",
  calendar: "Calendar",
  shares: "CalendarShare",
  shared_calendars: "Reading",
  subscribed_calendars: "SubscribedCalendar",
  streams: "UserStream",
  follow_requests: "Asker",
  app_passwords: "NewAppPassword",
  appeals: "Appealed",
  "spam-rules": "SpamRule",
  held_texts: "OwnHeldText",
  "held-texts": "HeldText",
};

type Make = (world: FuzzWorld, random: Random) => unknown;

const oneOf =
  (...values: readonly unknown[]): Make =>
  (_world, random) =>
    random.pick(values);

const TIMES = ["2027-05-01T10:00:00Z", "2027-05-01 10:00", "2027-05-01"];
const LATER = ["2027-05-02T10:00:00+0100", "2027-05-03", "2027-06-01T00:00Z"];
const HOSTS = Array.from({ length: 500 }, (_, n) => `h${n}`);
const WORDS = ["deer", "Ärger & Co", "two\nlines", "#tag @{x}", "0", "🦌 ünï"];

/**
 * Parameters with special values. An operation that never succeeds in
 * the fuzz test needs an entry here, or one for its path above.
 */
const BY_NAME: Readonly<Record<string, Make>> = {
  grant_type: oneOf("password"),
  // With limits for new accounts, or a minimum age, most calls would be refused.
  ...Object.fromEntries(
    ["newcomer_days", "min_age"].map((name) => [name, oneOf(0)]),
  ),
  // Only a network can be kept from all access.
  severity: oneOf("approval", "no_sign_ups"),
  // Closed, nobody could sign up any more.
  registration: oneOf("open", "configured"),
  username: ({ users }, random) => random.pick(users).username,
  password: oneOf(PASSWORD),
  current_password: oneOf(PASSWORD),
  handle: ({ users, movers }, random) =>
    random.isLikely(0.9)
      ? random.pick<{ readonly handle: string }>(
          random.isLikely(0.6) ? users : movers,
        ).handle
      : "nobody@localhost:1",
  direction: oneOf("away", "here"),
  signature: (world, random) => world.signMove(random),
  list: (_world, random) =>
    [random.pick(WORDS), `${random.pick(HOSTS)}.list.example`].join("\n"),
  aliases: ({ users }, random) =>
    random.isLikely(0.5) ? "" : random.pick(users).handle,
  Birthday: oneOf("1990-02-28", "", "2000-01-01"),
  fields: oneOf(
    "ID",
    "ID,Guid",
    "Person(ID:Profile(ImageUrl)),Text",
    "Nothing",
  ),
  start: oneOf(...TIMES),
  from: oneOf(...TIMES),
  end: oneOf(...LATER),
  to: oneOf(...LATER),
  poll_ends_at: oneOf("2099-01-01T00:00:00Z"),
  poll_answer: oneOf(["yes", "no"], ["a", "b", "c"]),
  languages: oneOf(["de"], ["en", "pt-BR"], [""]),
  timezone: oneOf("Europe/Berlin", "UTC"),
  time_zone: oneOf("Europe/Berlin", "UTC"),
  context: oneOf(["home"], ["public", "thread"]),
  keyword: oneOf(["deer"], ["roe", "red deer"]),
  whole_word: oneOf([], ["stag"]),
  until: oneOf("", "2099-01-01T00:00:00Z"),
  expression: oneOf("^a (roe|red) deer", "deer", ""),
  // A location has both coordinates, or neither.
  location_address: oneOf("", "", "", "Main street 1"),
  location_lat: oneOf("", "", "", "48.2"),
  location_lng: oneOf("", "", "", "16.37"),
  status: oneOf("accepted", "declined", "tentative"),
  answer: (world, random) => world.findAnswer(random),
  post_id: (world, random) => world.find("Post", random)?.ID ?? 0,
  comment_id: (world, random) => world.find("Comment", random)?.ID ?? 0,
  person_id: (world, random) => world.find("Person", random)?.ID ?? 0,
  // Most posts are not to be quoted, and then nothing is published.
  quoteID: (world, random) =>
    random.isLikely(0.3) ? (world.find("Post", random)?.ID ?? 0) : 0,
  parent_guid: (world, random) => world.find("Comment", random)?.Guid ?? "",
  locale: oneOf("en"),
  host: oneOf("bad.example", "worse.example"),
  link_host: oneOf("", "spam.example"),
  // Of relays, and of calendars.
  url: (world, random) =>
    random.pick([
      ...["https://relay.example/inbox", "https://relay.example/actor"],
      `${world.calendarUrl}?${random.below(1000)}`,
    ]),
  role: oneOf("user", "moderator"),
  language: oneOf("en"),
  color: oneOf("#1E90FF", "#dc143c", ""),
};

/** A value that the schema allows. */
export function validValue(
  name: string,
  schema: JsonSchema,
  world: FuzzWorld,
  random: Random,
): unknown {
  const {
    type,
    enum: allowed,
    items,
    minimum,
    maximum,
  } = schema as {
    type?: string;
    enum?: readonly string[];
    items?: JsonSchema;
    minimum?: number;
    maximum?: number;
  };
  const make = BY_NAME[name];
  if (make) return make(world, random);
  if (allowed) return random.pick(allowed);
  const named = /^([A-Za-z]+)ID$/.exec(name)?.[1];
  if (named !== undefined && type !== "array")
    return idOf(capitalize(named), world, random) ?? 0;
  if (items) {
    const item = idOf(capitalize(named ?? ""), world, random);
    return item === undefined ? [] : [item];
  }
  switch (type) {
    case "integer":
      return Math.min(random.below(5) + (minimum ?? 0), maximum ?? Infinity);
    case "boolean":
      return random.pick([true, false, "true", "0", "on"]);
    default:
      return random.pick(WORDS);
  }
}

/** An identifier for a part of a path, of an object of the kind in the path. */
export function pathValue(
  part: string,
  before: string,
  after: string,
  schema: JsonSchema,
  world: FuzzWorld,
  random: Random,
): { value: string; record?: ReturnType<FuzzWorld["find"]> } {
  const { enum: allowed } = schema as { enum?: readonly string[] };
  if (allowed) return { value: random.pick(allowed) };
  if (part === "key") return { value: world.findGroupKey(random) };
  // Its author is not the one who calls.
  if (part === "quoting_id") return { value: String(world.quoting?.ID ?? 1) };
  if (part === "host") return { value: String(BY_NAME[part]?.(world, random)) };
  const prefix = /^(.+)_id$/.exec(part)?.[1];
  // Imports of people, and those of lists of hosts.
  const imports = before === "imports" && ["Import", "HostImportDone"];
  const name = imports
    ? random.pick(imports)
    : prefix
      ? capitalize(prefix)
      : recordOf(before);
  const record =
    after === "poll"
      ? world.findPolled(random)
      : after === "quotes"
        ? world.findQuoted(random)
        : world.find(name, random);
  if (!record) return { value: random.pick(["1", "2", "deer"]) };
  const { ID, Guid } = record;
  const isByGuid = part === "guid" || (Guid && random.isLikely(0.3));
  return { value: String(isByGuid ? Guid : ID), record };
}

function recordOf(segment: string): string {
  return RECORD_OF_SEGMENT[segment] ?? capitalize(segment.replace(/s$/, ""));
}

function idOf(
  record: string,
  world: FuzzWorld,
  random: Random,
): number | undefined {
  return random.isLikely(0.2) ? undefined : world.find(record, random)?.ID;
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Values that hardly any parameter accepts. */
export const WRONG_VALUES: readonly unknown[] = [
  "",
  " ",
  "\0",
  "x\0y",
  "\ud800",
  "x".repeat(70_000),
  "-1",
  -1,
  1.5,
  1e300,
  "9007199254740993",
  "0x10",
  true,
  null,
  {},
  [],
  [[]],
  { a: { b: [1] } },
  ["a", "b"],
  "' or 1=1 --",
  "%00",
  "\u202e\ufeff",
];

export const WRONG_PARTS: readonly string[] = [
  "0",
  "-1",
  "999999999",
  "99999999999999999999",
  "x",
  "%00",
  "%ff",
  "%2e%2e",
  "a".repeat(300),
  "a".repeat(2000),
  "0".repeat(32),
  "' or 1=1 --".replaceAll(" ", "%20"),
  "%F0%9F%A6%8C",
];

export const WRONG_COMMON: readonly (readonly [string, unknown])[] = [
  ["offset", -1],
  ["offset", "x"],
  ["offset", "99999999999999"],
  ["limit", 0],
  ["limit", 101],
  ["fields", "("],
  ["fields", "ID,"],
  ["fields", "a(".repeat(50)],
  ["access_token", "0".repeat(64)],
];
