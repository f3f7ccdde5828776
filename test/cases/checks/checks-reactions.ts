import { listOf, textIn, type Json } from "../json.ts";
import { compareMore } from "../shown/more.ts";
import { brief, failing, holding, type Outcome } from "../outcome.ts";
import { authorOf, type Records, type Target } from "../shown/records.ts";
import { matchesText, plain } from "../shown/text-match.ts";
import { handleOfWho, type Reader, type World } from "../world.ts";

type Wanted = {
  readonly on?: unknown;
  readonly of?: unknown;
  readonly by?: string;
  readonly text?: unknown;
  readonly positive?: boolean;
  readonly count?: number;
  readonly seenBy?: readonly Reader[];
  readonly more?: unknown;
};

const NOWHERE = "what it would be on is not here";

export async function comment(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const wanted = value as Wanted;
  const target = await records.target(wanted.on);
  if (!target) return failing(NOWHERE);
  const all = await commentsOn(records, target);
  const found = all.filter((one) => isComment(records, one, wanted));
  const outcome = counted("comment", found, wanted.count, all);
  const [first] = found;
  if (outcome.state !== "holds" || !first) return outcome;
  const more = await compareMore(world, "comment", first, wanted.more);
  return more.differs.length > 0
    ? failing(more.differs.join(", "))
    : { ...outcome, skipped: more.skipped };
}

export async function noComment(
  _world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const wanted = value as Wanted;
  const target = await records.target(wanted.on);
  if (!target) return holding(NOWHERE);
  const found = (await commentsOn(records, target)).filter((one) =>
    isComment(records, one, wanted),
  );
  return noneOf("comment", found);
}

async function commentsOn(records: Records, target: Target): Promise<Json[]> {
  const all = await records.list("alice", `/posts/${target.postId}/comments`);
  return target.kind === "post"
    ? all
    : all.filter((one) => one["ParentGuid"] === target.record["Guid"]);
}

function isComment(records: Records, one: Json, { by, text }: Wanted): boolean {
  return records.isBy(one, by) && matchesText(String(one["Text"]), text);
}

export async function like(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const wanted = value as Wanted;
  const target = await records.target(wanted.on);
  if (!target) return failing(NOWHERE);
  const all = await likesOn(world, records, target);
  const { positive = true, by } = wanted;
  const found = all.filter((one) => isLike(records, one, by, positive));
  return counted(positive ? "like" : "dislike", found, wanted.count, all);
}

export async function noLike(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const { on, by, positive } = value as Wanted;
  const target = await records.target(on);
  if (!target) return holding(NOWHERE);
  const all = await likesOn(world, records, target);
  const found = all.filter((one) => isLike(records, one, by, positive));
  return noneOf("like", found);
}

function isLike(
  records: Records,
  one: Json,
  by: string | undefined,
  positive: boolean | undefined,
): boolean {
  if (positive !== undefined && one["Positive"] !== positive) return false;
  return records.isBy(one, by);
}

/** The likes and dislikes of an object, each with its Person. */
async function likesOn(
  world: World,
  records: Records,
  target: Target,
): Promise<Json[]> {
  const path =
    target.kind === "post"
      ? `/posts/${target.postId}/likes`
      : `/comments/${String(target.record["ID"])}/likes`;
  const likes = await records.list("alice", path);
  return Promise.all(
    likes.map(async (one) => {
      const person = `/people/${String(one["PersonID"])}`;
      const Person = await world.services.alice.find(person);
      const Text = one["Positive"] === true ? "like" : "dislike";
      return { ...one, Person, Text };
    }),
  );
}

export async function reshare(
  _world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const { of, by, count } = value as Wanted;
  const target = await records.target(of);
  if (!target) return failing(NOWHERE);
  const all = await records.list("alice", `/posts/${target.postId}/reshares`);
  const found = all.filter((one) => records.isBy(one, by));
  return counted("reshare", found, count, all);
}

export async function noReshare(
  _world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const { of, by, seenBy = ["alice", "bob"] } = value as Wanted;
  const target = await records.target(of);
  if (!target) return holding(NOWHERE);
  for (const reader of seenBy) {
    const all =
      reader === "anonymous"
        ? await publicReshares(records, target, by)
        : await records.list(reader, `/posts/${target.postId}/reshares`);
    const outcome = noneOf(
      "reshare",
      all.filter((one) => records.isBy(one, by)),
    );
    if (outcome.state !== "holds") return outcome;
  }
  return holding("no reshare");
}

async function publicReshares(
  records: Records,
  target: Target,
  by: string | undefined,
): Promise<Json[]> {
  const root = target.record["Guid"];
  const stream = await records.posts("anonymous", by === undefined ? [] : [by]);
  return stream.filter((one) => one["RootGuid"] === root);
}

type WantedPoll = {
  readonly on: unknown;
  readonly options: readonly (readonly [string, number])[];
  readonly multiple?: boolean;
  readonly endsAt?: string;
  readonly open?: boolean;
  readonly more?: unknown;
};

export async function poll(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const wanted = value as WantedPoll;
  const target = await records.target(wanted.on);
  if (!target) return failing(NOWHERE);
  const shown = target.record["Poll"] as Json | null | undefined;
  if (!shown) return failing("the post has no poll");
  const answers = (listOf(shown["Answers"]) as Json[]).map(
    ({ Text, Votes }) => [plain(String(Text)), Votes],
  );
  const differs: string[] = [];
  if (JSON.stringify(answers) !== JSON.stringify(wanted.options))
    differs.push(`options are ${brief(answers)}`);
  if (wanted.multiple !== undefined && shown["Multiple"] !== wanted.multiple)
    differs.push(`Multiple is ${String(shown["Multiple"])}`);
  const endsAt = textIn(shown, "EndsAt") ?? "";
  if (wanted.endsAt !== undefined)
    if (Date.parse(endsAt) !== Date.parse(wanted.endsAt))
      differs.push(`EndsAt is ${endsAt}`);
  if (wanted.open !== undefined) {
    const isOpen = await mayVote(world, target, shown);
    if (isOpen !== wanted.open) differs.push(`open is ${String(isOpen)}`);
  }
  const more = await compareMore(world, "post", target.record, wanted.more);
  differs.push(...more.differs);
  return differs.length > 0
    ? failing(`poll: ${differs.join(", ")}`)
    : holding(`poll ${brief(answers)}`, more.skipped);
}

/** Alice tries to vote; if that is refused, nothing must be sent either. */
async function mayVote(
  world: World,
  target: Target,
  shown: Json,
): Promise<boolean> {
  const [first] = listOf(shown["Answers"]) as Json[];
  const from = world.network.log.length;
  const path = `/posts/${target.postId}/poll/votes`;
  const answer = { answer: String(first?.["Guid"]) };
  const { status } = await world.services.alice.api("POST", path, answer);
  if (status < 400) return true;
  return world.network.log
    .slice(from)
    .some(({ activity }) => textIn(activity, "type") === "Create");
}

function counted(
  what: string,
  found: readonly Json[],
  count: number | undefined,
  all: readonly Json[],
): Outcome {
  const isRight =
    count === undefined ? found.length > 0 : found.length === count;
  if (isRight) return holding(`${what} ${describe(found)}`);
  const wanted = count === undefined ? "" : ` instead of ${count}`;
  return failing(
    `${found.length} such ${what}s${wanted}; there is: ${describe(all)}`,
  );
}

function noneOf(what: string, found: readonly Json[]): Outcome {
  return found.length === 0
    ? holding(`no ${what}`)
    : failing(`${what} ${describe(found)}`);
}

function describe(records: readonly Json[]): string {
  const lines = records.map(
    (one) =>
      `"${brief(plain(textIn(one, "Text") ?? ""), 60)}" by ${authorOf(one) ?? "?"}`,
  );
  return brief(lines.join(", ") || "none", 300);
}

/** For the other assertions: whether the record is by a person. */
export function isByWho(world: World, record: Json, who: string): boolean {
  return (
    authorOf(record)?.toLowerCase() === handleOfWho(world, who).toLowerCase()
  );
}
