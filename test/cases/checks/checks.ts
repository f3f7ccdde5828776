import type { Item } from "../case-file.ts";
import { alive, answered, answersEqual, status } from "./checks-answers.ts";
import {
  event,
  noEvent,
  noParticipation,
  participation,
} from "./checks-events.ts";
import { fetched, notFetched, notSent, sent } from "./checks-network.ts";
import {
  follows,
  noNotification,
  noPerson,
  notification,
  person,
} from "./checks-people.ts";
import { noPost, post } from "./checks-posts.ts";
import {
  comment,
  like,
  noComment,
  noLike,
  noReshare,
  poll,
  reshare,
} from "./checks-reactions.ts";
import { allOf, failing, type Outcome } from "../outcome.ts";
import { Records } from "../shown/records.ts";
import { bySentence, isUnderstood } from "../sentences.ts";
import { unchanged } from "../shown/snapshot.ts";
import { CannotDo, wordOf, type World } from "../world.ts";

type Check = (
  world: World,
  records: Records,
  value: unknown,
) => Promise<Outcome>;

/** An assertion that reads no list of a user. */
const plainly =
  (check: (world: World, value: unknown) => Promise<Outcome>): Check =>
  (world, _records, value) =>
    check(world, value);

const CHECKS: Readonly<Record<string, Check>> = {
  status: plainly(status),
  answered: plainly(answered),
  answersEqual: plainly(answersEqual),
  alive: plainly(alive),
  sent: plainly(sent),
  notSent: plainly(notSent),
  fetched: plainly(fetched),
  notFetched: plainly(notFetched),
  post,
  noPost,
  comment,
  noComment,
  like,
  noLike,
  reshare,
  noReshare,
  poll,
  event,
  noEvent,
  participation,
  noParticipation,
  follows,
  person,
  noPerson: plainly(noPerson),
  notification,
  noNotification,
  unchanged: plainly(unchanged),
  anyOf,
  manual: bySentence,
};

/** Checks whether an assertion holds now. */
export async function check(
  world: World,
  records: Records,
  item: Item,
): Promise<Outcome> {
  const word = wordOf(item);
  const one = Object.hasOwn(CHECKS, word) ? CHECKS[word] : undefined;
  if (!one) return cannot(`there is no assertion "${word}"`);
  try {
    return await one(world, records, item[word]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return error instanceof CannotDo ? cannot(message) : failing(message);
  }
}

function cannot(evidence: string): Outcome {
  return { state: "cannot", evidence };
}

/** Checks whether all of these hold now. */
export async function holds(
  world: World,
  items: readonly Item[],
): Promise<Outcome> {
  const records = new Records(world);
  const outcomes: Outcome[] = [];
  for (const item of items) {
    const outcome = await check(world, records, item);
    outcomes.push(outcome);
    if (outcome.state === "fails" || outcome.state === "cannot") break;
  }
  return allOf(outcomes);
}

async function anyOf(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const tried: Outcome[] = [];
  for (const list of value as Item[][]) {
    const outcomes: Outcome[] = [];
    for (const item of list) outcomes.push(await check(world, records, item));
    const outcome = allOf(outcomes);
    if (outcome.state === "holds") return outcome;
    tried.push(outcome);
  }
  const evidence = tried.map((one) => one.evidence).join(" / ");
  return tried.some(({ state }) => state === "fails")
    ? failing(evidence)
    : (tried[0] ?? failing("nothing to choose from"));
}

const POSITIVE = new Set(
  `post comment like reshare poll event participation person notification sent fetched`.split(
    " ",
  ),
);

/** Whether an assertion is retried until it holds, because it requires something to exist. */
export function isPositive(item: Item): boolean {
  const word = wordOf(item);
  const value = item[word];
  if (word === "follows")
    return (value as { state: string }).state === "accepted";
  if (word === "manual") return isUnderstood(value);
  if (word === "fetched")
    return typeof value === "string" || !("atMost" in (value as object));
  if (word === "anyOf")
    return (value as Item[][]).every((list) => list.some(isPositive));
  return POSITIVE.has(word);
}

const FROM_LOG = new Set(
  `status answered sent notSent fetched notFetched`.split(" "),
);

/** Whether an assertion reads only recorded data, without requests of its own. */
export function isFromLog(item: Item): boolean {
  const word = wordOf(item);
  if (word === "anyOf")
    return (item[word] as Item[][]).flat().every((one) => isFromLog(one));
  return FROM_LOG.has(word);
}
