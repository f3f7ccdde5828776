import type { Random } from "../../support/random.ts";
import type { MastodonWorld, Owner } from "./mastodon-world.ts";

/** Parts of paths, as they are in an address, that name nothing, or break naive readers. */
export const HOSTILE_PARTS: readonly string[] = [
  ...["0", "-1", "1.5", "1e3", "0x10", "9007199254740993", "9".repeat(40)],
  ...["deer", "null", "undefined", "__proto__", "constructor", "[]", "1,2"],
  ...["%2F", "1%2F2", "..%2F..%2Fv0", "%00", "%20", "%ff", "%", "%F0%9F%A6%8C"],
  ...["1;a=b", "'%20or%20''='", "x".repeat(300), "ungrouped-1", "%E2%80%AE"],
];

let deep: unknown = "deep";
for (let level = 0; level < 40; level += 1) deep = { deep };

/** Values that hardly any parameter takes. */
export const HOSTILE_VALUES: readonly unknown[] = [
  ...["", " ", "0", "-1", "1e309", "NaN", "null", "1.5", "0x10", "%", "_", "("],
  ...["9".repeat(19), "9".repeat(400), "\0", "a\0b", "\ud800", "\u202e\u200b"],
  ...["x".repeat(5_000), "🦌".repeat(3_000), "<script>alert(1)</script>"],
  ...["' or ''='", "2099-99-99", "-999999-01-01T00:00:00Z", "1970-01-01"],
  ...["+275760-09-13T00:00:00.001Z", "+275760-09-12T00:00:00Z", "Infinity"],
  ...[0, -1, 1.5, 1e21, 2 ** 53, -(2 ** 63), true, false, null],
  ...[[], [[]], [null], ["a", 1, null], {}, { a: {} }, { "": "" }, deep],
  ...[[{}], { 0: "a", 1: "b" }, { length: 1e9 }, { toString: 1, then: 2 }],
  Array.from({ length: 250 }, (_, n) => n),
];

type Make = (world: MastodonWorld, owner: Owner, random: Random) => unknown;

const oneOf =
  (...values: readonly unknown[]): Make =>
  (_world, _owner, random) =>
    random.pick(values);
const idOf =
  (kind: string): Make =>
  (world, owner, random) =>
    world.findId(kind, owner, random) ?? "1";
const idsOf =
  (kind: string): Make =>
  (world, owner, random) =>
    Array.from(
      { length: random.below(3) + 1 },
      () => world.findId(kind, owner, random) ?? "1",
    );
const FLAG = oneOf(true, false, "true", "0", "on");
const CURSOR: Make = (world, owner, random) =>
  random.isLikely(0.6)
    ? world.findId(random.pick(["Status", "Notification"]), owner, random)
    : random.pick(["0", "1", "-1", "99999999999999999999", "deer", ""]);
const WORDS = oneOf(
  ...["deer", "#row", "hush", "two\nlines", "Ärger & Co", "🦌 ünï", "0"],
  ...["http://localhost/x", "@nobody", "a@b@c", "from:me", '"', "*"],
);
const LATER = oneOf(
  ...["2099-01-01T00:00:00Z", "2099-01-01T00:00:00.000+01:00", "2001-01-01"],
);
const NAMES_OF = (world: MastodonWorld, random: Random) =>
  random.pick(world.people).person;

const ALL: Readonly<Record<string, Make>> = {
  limit: oneOf("0", "-1", "1", "2", "40", "9".repeat(25), "ten", "1.5", ""),
  offset: oneOf("0", "1", "-1", "9".repeat(25), "ten"),
  ...Object.fromEntries(
    ["max_id", "since_id", "min_id"].map((name) => [name, CURSOR]),
  ),
  ...Object.fromEntries(
    [
      ...["resolve", "following", "local", "remote", "only_media", "pinned"],
      ...["exclude_replies", "exclude_reblogs", "with_suspended", "sensitive"],
      ...["irreversible", "whole_word", "locked", "bot", "discoverable"],
      ...["indexable", "notifications", "reblogs", "notify", "exclusive"],
      ...["forward", "hide_totals", "multiple", "unread", "active", "resolved"],
    ].map((name) => [name, FLAG]),
  ),
  q: (world, owner, random) =>
    random.isLikely(0.7)
      ? WORDS(world, owner, random)
      : NAMES_OF(world, random).handle,
  acct: (world, _owner, random) => NAMES_OF(world, random).username,
  type: oneOf(
    ...["accounts", "statuses", "hashtags", "none", "silence", "sensitive"],
  ),
  tagged: WORDS,
  any: oneOf(["row"], ["a", "b"]),
  all: oneOf(["row"], ["deer"]),
  none: oneOf(["deer"]),
  url: oneOf("https://row.example/", "http://localhost:1/", "deer"),
  id: (world, owner, random) =>
    idsOf(random.pick(["Account", "Status"]))(world, owner, random),
  account_id: idOf("Account"),
  account_ids: idsOf("Account"),
  status_id: idOf("Status"),
  status_ids: idsOf("Status"),
  in_reply_to_id: idOf("Status"),
  quoted_status_id: idOf("Status"),
  media_ids: idsOf("MediaAttachment"),
  media_attributes: (world, owner, random) => [
    {
      id: world.findId("MediaAttachment", owner, random) ?? "1",
      description: random.pick(["row", "x".repeat(3_000)]),
      focus: random.pick(["0,0", "9,9"]),
    },
    { id: "1", description: "row" },
  ],
  rule_ids: oneOf(["1"], ["0"]),
  types: oneOf(["mention"], ["follow", "favourite"], ["deer"]),
  exclude_types: oneOf(["mention"], ["poll", "reblog", "status"]),
  grouped_types: oneOf(["favourite"], ["follow"], []),
  expand_accounts: oneOf("full", "partial_avatars"),
  timeline: oneOf(["home"], ["notifications", "home"]),
  home: oneOf({ last_read_id: "1" }, { last_read_id: "deer" }),
  status: WORDS,
  spoiler_text: oneOf("", "careful", "x".repeat(400)),
  language: oneOf("en", "pt-BR", "xx-invalid-tag", "deer!"),
  quote_approval_policy: oneOf("public", "followers", "nobody", "deer"),
  poll: oneOf(
    { options: ["a", "b"], expires_in: 3_600 },
    { options: ["a"], expires_in: "9".repeat(18), multiple: true },
    { options: "a", expires_in: 0 },
  ),
  choices: oneOf([0], ["1"], [0, 1], [99], "0", [-1]),
  title: WORDS,
  name: oneOf("row", "#row", "two words", "", "🎉", "x".repeat(600)),
  replies_policy: oneOf("list", "followed", "none"),
  context: oneOf(["home"], ["public", "thread"], ["deer"], "home"),
  filter_action: oneOf("hide", "warn", "blur", "deer"),
  phrase: WORDS,
  keyword: WORDS,
  keywords_attributes: oneOf(
    [{ keyword: "row", whole_word: true }],
    [{ id: "1", _destroy: true }],
    { 0: { keyword: "deer" } },
  ),
  expires_in: oneOf("60", 3_600, "", "-5", "9".repeat(18)),
  scheduled_at: LATER,
  display_name: oneOf("Me", "", "x".repeat(200), "\u202eem"),
  note: WORDS,
  fields_attributes: oneOf([{ name: "a", value: "b" }], {
    0: { name: "c", value: "https://row.example" },
  }),
  source: oneOf({ privacy: "private" }, { language: "de", sensitive: true }),
  domain: oneOf("row.example", "localhost", "*", "ex ample", "xn--", "a..b"),
  comment: WORDS,
  category: oneOf("spam", "violation", "legal", "deer"),
  duration: oneOf("0", "60", "9".repeat(18)),
  languages: oneOf(["en"], ["deer!"]),
  description: WORDS,
  focus: oneOf("0,0", "-1.0,1.0", "9,9", "deer", "NaN,NaN"),
  policy: oneOf("all", "followed", "none", "deer"),
  for_not_following: oneOf("accept", "drop", "filter"),
  for_private_mentions: oneOf("accept", "drop"),
  order: oneOf("new", "active", "deer"),
  period: oneOf("day", "week"),
  invite_code: oneOf("none", ""),
  severity: oneOf("suspend", "silence", "noop"),
  text: WORDS,
  email: oneOf("a@row.example", "deer"),
  ip: oneOf("192.0.2.0/24", "deer", "::/0"),
};

/** Names of parameters that Mastodon documents. What is private is elsewhere. */
export const KNOWN: readonly string[] = Object.keys(ALL);

/** A value that a parameter of this name may have. */
export function usualValue(
  name: string,
  world: MastodonWorld,
  owner: Owner,
  random: Random,
): unknown {
  return ALL[name]?.(world, owner, random) ?? "";
}
