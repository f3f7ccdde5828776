import type { Item } from "./case-file.ts";
import { lookInside } from "./inside.ts";
import {
  isRecord,
  listOf,
  memberOf,
  parseOrNothing,
  textIn,
  type Json,
} from "./json.ts";
import { failing, holding, type Outcome } from "./outcome.ts";
import type { Records } from "./shown/records.ts";
import {
  CannotDo,
  fillIn,
  handleOfWho,
  payloadText,
  type World,
} from "./world.ts";

type Judge = (
  world: World,
  records: Records,
  words: readonly string[],
) => Promise<Outcome>;

/**
 * Judges sentences under `manual` that a machine can judge after all: by the moderators'
 * view, by stored data, or by the process itself.
 */
const SENTENCES: readonly (readonly [RegExp, Judge])[] = [
  [
    /^a report about (\w+) with (no|one|two|three|\d+) posts?, from (?:.+ of )?([\w.:-]+), is before the moderators$/,
    report,
  ],
  [/^the event's (.+) (?:is|are) stored$/, storedOfEvent],
  [/^the Join is marked as (\w+)$/, joinMarked],
  [/^no object in the process gained a property (\w+)$/, notGained],
  [/^totalItems of the outbox is taken as (\d+)$/, outboxCounts],
];

function find(sentence: string) {
  for (const [form, judge] of SENTENCES) {
    const found = form.exec(sentence);
    if (found) return { judge, words: found.slice(1) };
  }
  return undefined;
}

/** Whether a machine can judge a sentence. */
export function isUnderstood(sentence: unknown): boolean {
  return find(String(sentence)) !== undefined;
}

/** A sentence without a matching form is left to a reader. */
export async function bySentence(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const sentence = String(value);
  const found = find(sentence);
  return found
    ? found.judge(world, records, found.words)
    : { state: "manual", evidence: sentence };
}

const NUMBERS: Readonly<Record<string, number>> = {
  no: 0,
  one: 1,
  two: 2,
  three: 3,
};

async function report(
  world: World,
  _records: Records,
  [about = "", number = "", host = ""]: readonly string[],
): Promise<Outcome> {
  const all = await world.operator.list("/admin/reports");
  const posts = (one: Json) =>
    listOf(one["Objects"]).filter((uri) => !String(uri).includes("/person/"));
  const wanted = NUMBERS[number] ?? Number(number);
  const found = all.filter(
    (one) =>
      one["Open"] === true &&
      one["Host"] === host &&
      textIn(one["Person"], "Author") === handleOfWho(world, about) &&
      posts(one).length === wanted,
  );
  const seen = all.map(
    (one) =>
      `about ${textIn(one["Person"], "Author") ?? "?"} with ${posts(one).length} posts from ${String(one["Host"])}`,
  );
  return found.length > 0
    ? holding(`report ${seen.join(", ")}`)
    : failing(`reports are: ${seen.join(", ") || "none"}`);
}

/** The event is the one that the case looks for; its previous values are in the payload. */
async function storedOfEvent(
  world: World,
  records: Records,
  [list = ""]: readonly string[],
): Promise<Outcome> {
  const wanted = world.theCase.check.find((item: Item) => "event" in item);
  const event = wanted && (await records.event(wanted["event"]));
  if (!event) return failing("the event is not here");
  const object = objectOf(world);
  const outcomes: string[] = [];
  for (const part of list.split(/,? and |, /)) {
    const fault = await faultOf(world, records, event, object, part);
    if (fault !== undefined) outcomes.push(fault);
  }
  return outcomes.length === 0
    ? holding(`stored: ${list}`)
    : failing(outcomes.join(", "));
}

function objectOf(world: World): Json {
  const payload = parseOrNothing(payloadText(world, world.theCase.file));
  const object = isRecord(payload) ? (payload["object"] ?? payload) : {};
  return isRecord(object) ? object : {};
}

async function faultOf(
  world: World,
  records: Records,
  event: Json,
  object: Json,
  part: string,
): Promise<string | undefined> {
  const attached = listOf(object["attachment"]).filter(isRecord);
  const guid = String(event["Guid"]);
  const posts = await records.posts("alice", [
    textIn(event["Person"], "Author") ?? "",
  ]);
  const post = posts.find((one) => textIn(one["Event"], "Guid") === guid) ?? {};
  const capacity = /^(?:its )?capacity (\d+)$/.exec(part)?.[1];
  if (capacity !== undefined) {
    const [row] = await lookInside(
      world,
      `select capacity from events where id = ${Number(event["ID"])}`,
    );
    const kept = String(row?.["capacity"]);
    return kept === capacity ? undefined : `the capacity is ${kept}`;
  }
  if (/^(?:its )?banner$/.test(part)) {
    const hashes = listOf(post["Photos"]).map((one) => textIn(one, "Blurhash"));
    const banner = attached.find((one) => textIn(one, "blurhash"));
    return hashes.length > 0 && hashes.includes(textIn(banner, "blurhash"))
      ? undefined
      : "the banner is not there";
  }
  if (/^(?:its )?website link$/.test(part)) {
    const link = attached.find((one) => one["type"] === "Link");
    const href = textIn(link, "href") ?? "none";
    const texts = `${String(post["Text"])} ${String(event["Description"])}`;
    return texts.includes(href) ? undefined : `${href} is not there`;
  }
  throw new CannotDo(`nothing is known of an event's ${part}`);
}

/** The answer to a Join, as recorded by the server. */
const MARKS: Readonly<Record<string, string>> = {
  unanswered: "ignored",
  confirmed: "confirmed",
  accepted: "confirmed",
  refused: "refused",
  rejected: "refused",
};

async function joinMarked(
  world: World,
  _records: Records,
  [mark = ""]: readonly string[],
): Promise<Outcome> {
  const join = fillIn(world, "{{aliceJoin}}");
  const guid = join.slice(join.lastIndexOf("/") + 1).replace(/\W/g, "");
  const [row] = await lookInside(
    world,
    `select reply from participations where guid = '${guid}'`,
  );
  const reply = textIn(row, "reply") ?? "waiting";
  return reply === MARKS[mark]
    ? holding(`the Join is ${reply}`)
    : failing(`the Join is ${row ? reply : "not here"}`);
}

async function notGained(
  { server }: World,
  _records: Records,
  [name = ""]: readonly string[],
): Promise<Outcome> {
  const gained = await server.listGained();
  const found = gained.filter((one) => one.endsWith(`.${name}`));
  return found.length === 0
    ? holding(`no object has ${name}`)
    : failing(`every object has got ${found.join(", ")}`);
}

/** Whatever an outbox claims, its owner is shown with this number of posts, and with no made-up number. */
async function outboxCounts(
  world: World,
  records: Records,
  [number = ""]: readonly string[],
): Promise<Outcome> {
  const outbox = parseOrNothing(payloadText(world, world.theCase.file));
  const claimed = String(memberOf(outbox, "totalItems"));
  const id = textIn(outbox, "id") ?? "";
  const owner = world.network.findOwner(id);
  if (!owner) throw new CannotDo(`${id} is nobody's outbox`);
  const person = await records.person(owner);
  if (!person) return failing(`a search does not find ${owner}`);
  const guid = String(person["Guid"]);
  const { alice, anonymous } = world.services;
  const posts = await alice.list(`/people/${guid}/stream`);
  const page = await anonymous.call("GET", `/people/${guid}`);
  const record = JSON.stringify(await alice.find(`/people/${guid}`));
  if (posts.length !== Number(number))
    return failing(`${owner} has ${posts.length} posts`);
  const text = page.text.replace(/<[^>]*>/g, " ").split(/\s+/);
  return text.includes(claimed) || record.includes(`:${claimed},`)
    ? failing(`${claimed} is shown`)
    : holding(`${owner} has ${posts.length} posts`);
}
