import { randomUUID } from "node:crypto";
import { load } from "../kit/http-load.ts";
import { untilIdle, withKith, type KithProcess } from "../kit/kith-process.ts";
import { writeCreate } from "../kit/messages.ts";
import { prepareSenders, signActivity, type Sender } from "../kit/senders.ts";

const CONNECTIONS = 64;
/** V8 has optimized the shared part by then. */
const WARM_UP = 6_000;
const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

/** An activity of a kind, and its sender. */
type Act = (number: number) => {
  readonly by: Sender;
  readonly activity: unknown;
};

type Acts = readonly (readonly [name: string, act: Act])[];

/** The measured rates of one kind of activity. */
export type ActsMeasured = {
  readonly name: string;
  readonly accepted: number;
  /** Until no job is left. */
  readonly applied: number;
  readonly perCpuSecond: number;
};

/**
 * Measures what people do with posts of other servers, which is most of what a server receives:
 * each act by the next one of known people, one kind after the other.
 */
export function measureActs(
  options: Parameters<typeof withKith>[0],
  count: number,
  note: (measured: ActsMeasured) => void,
): Promise<void> {
  const people = 200;
  const prepare = prepareSenders("activitypub", people);
  return withKith(options, prepare, async (kith, senders) => {
    const posts = createPosts(senders);
    await send(kith, posts.create, WARM_UP);
    for (const [name, act] of actsOn(posts, count))
      note({ name, ...(await send(kith, act, count)) });
  });
}

async function send(kith: KithProcess, act: Act, count: number) {
  const requests: Buffer[] = [];
  for (let number = 0; number < count; number++) {
    const { by, activity } = act(number);
    requests.push(await signActivity(kith.baseUrl, by, activity));
  }
  const cpuBefore = kith.cpuSeconds();
  const startedAt = performance.now();
  const { seconds, statuses } = await load(kith.port, requests, CONNECTIONS);
  if (statuses.get(202) !== count)
    throw new Error(`Not all were accepted: ${[...statuses].join("; ")}`);
  await untilIdle(kith);
  return {
    accepted: count / seconds,
    applied: (count / (performance.now() - startedAt)) * 1000,
    perCpuSecond: count / (kith.cpuSeconds() - cpuBefore),
  };
}

type Posts = ReturnType<typeof createPosts>;

/** Writes posts and acts of these people, and remembers the posts. */
function createPosts(senders: readonly Sender[]) {
  const known: { readonly id: string; readonly by: Sender }[] = [];
  const person = (number: number): Sender => {
    const sender = senders[number % senders.length];
    if (!sender) throw new Error("Nobody sends");
    return sender;
  };
  const post = (number: number) => {
    const one = known[number];
    if (!one) throw new Error("There is no such post");
    return one;
  };
  const create = (number: number, inReplyTo?: string) => {
    const by = person(number);
    const { actorUri } = by;
    const id = `${actorUri}/notes/${newId()}`;
    known.push({ id, by });
    const about = { id, actorUri, number, named: person(number + 1) };
    const activity = writeCreate(about) as { object: object };
    if (inReplyTo !== undefined) Object.assign(activity.object, { inReplyTo });
    return { by, activity };
  };
  const act = (type: string, by: Sender, object: unknown) => ({
    by,
    activity: {
      "@context": "https://www.w3.org/ns/activitystreams",
      ...{ id: `${by.actorUri}#${type}/${newId()}`, type, object },
      ...{ actor: by.actorUri, to: [PUBLIC], cc: [] },
      published: new Date().toISOString(),
    },
  });
  return {
    person,
    post,
    create: (number: number) => create(number),
    act,
    reply: create,
  };
}

function actsOn({ person, post, act, reply }: Posts, count: number): Acts {
  const likes: unknown[] = [];
  const like: Act = (number) => {
    const liked = act("Like", person(number), post(number + 1).id);
    likes.push(liked.activity);
    return liked;
  };
  return [
    ["Create of a reply", (number) => reply(number, post(number).id)],
    ["Create of a reply, all to one", (number) => reply(number, post(0).id)],
    ["Like", like],
    ["Undo of a Like", (number) => act("Undo", person(number), likes[number])],
    ["Like, all of one", (number) => act("Like", person(number), post(0).id)],
    [
      "Announce",
      (number) => act("Announce", person(number), post(number + 7).id),
    ],
    ["Delete", (number) => removalOf(act, post(number + count))],
  ];
}

function removalOf(
  act: Posts["act"],
  { id, by }: { readonly id: string; readonly by: Sender },
): ReturnType<Act> {
  return act("Delete", by, { id, type: "Tombstone" });
}

function newId(): string {
  return randomUUID().replaceAll("-", "");
}
