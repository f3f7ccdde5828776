import type { Item } from "../case-file.ts";
import { idOf, textIn, type Json } from "../json.ts";
import { Records } from "../shown/records.ts";
import { addToAspect, findSent, need, type Phase } from "./steps-people.ts";
import {
  CannotDo,
  fillIn,
  localActor,
  type LocalName,
  type World,
} from "../world.ts";

type Posted = {
  readonly by: LocalName;
  readonly as: string;
  readonly text?: string;
  readonly audience?: "public" | readonly string[];
  readonly on?: unknown;
  readonly poll?: { options: readonly string[]; multiple: boolean };
  readonly event?: {
    summary: string;
    startsInDays: number;
    joinMode: string;
    capacity: number;
  };
  readonly quotes?: string;
};

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
const HOUR_MS = 3_600_000;

export async function posted(
  world: World,
  item: Item,
  phase: Phase,
): Promise<void> {
  const what = item["posted"] as Posted;
  try {
    const guid = await publish(world, what);
    const uri = `${world.baseUrl}/api/v1/ap/object/${guid}`;
    world.placeholders.set(what.as, uri);
  } catch (error) {
    if (phase === "given" || error instanceof CannotDo) throw error;
  }
}

/** @returns the Guid of the record */
async function publish(world: World, what: Posted): Promise<string> {
  if (what.event) return publishEvent(world, what.by, what.event);
  if (what.quotes !== undefined) return publishQuote(world, what);
  const service = world.services[what.by];
  const text = fillIn(world, what.text ?? "");
  if (what.on !== undefined) {
    const on = what.on;
    const target = await need("what is to be commented on is not here", () =>
      new Records(world).target(on),
    );
    const parent =
      target.kind === "comment"
        ? { parent_guid: String(target.record["Guid"]) }
        : {};
    const path = `/posts/${target.postId}/comments`;
    const comment = { comment: text, ...parent };
    return guidOf(await service.change("POST", path, comment));
  }
  const post = await service.change("POST", "/posts", {
    post: text,
    ...(await audienceOf(world, what)),
    ...pollOf(what, text),
  });
  const guid = guidOf(post);
  await untilDelivered(world, what, guid);
  return guid;
}

async function audienceOf(world: World, { by, as, audience }: Posted) {
  if (audience === undefined || audience === "public") return {};
  const form = { aspect_name: `for ${as}` };
  const aspect = await world.services[by].change("POST", "/aspects", form);
  const aspectID = String(aspect["ID"]);
  for (const handle of audience) await addToAspect(world, by, handle, aspectID);
  return { aspectID };
}

function pollOf({ poll }: Posted, text: string) {
  if (!poll) return {};
  return {
    poll_question: text,
    poll_answer: poll.options,
    poll_multiple: String(poll.multiple),
  };
}

/** Waits for the effects of a limited post on the network before the next step. */
async function untilDelivered(
  world: World,
  { audience = "public" }: Posted,
  guid: string,
): Promise<void> {
  if (audience === "public") return;
  for (const handle of audience) {
    const actor = world.network.findActor(handle);
    if (!actor) throw new CannotDo(`nobody on the network is ${handle}`);
    const inboxes = [actor.inbox, actor.sharedInbox];
    await need(`the post did not reach ${handle}`, () =>
      world.network.log.find(
        ({ url, activity }) =>
          inboxes.includes(url) && JSON.stringify(activity).includes(guid),
      ),
    );
  }
}

async function publishEvent(
  world: World,
  by: LocalName,
  event: NonNullable<Posted["event"]>,
): Promise<string> {
  const day = Date.now() + event.startsInDays * 24 * HOUR_MS;
  const startMs = Math.ceil(day / HOUR_MS) * HOUR_MS;
  const location = await postToOutbox(world, by, {
    type: "Event",
    name: event.summary,
    startTime: new Date(startMs).toISOString(),
    endTime: new Date(startMs + 2 * HOUR_MS).toISOString(),
    joinMode: event.joinMode,
    maximumAttendeeCapacity: event.capacity,
  });
  const { summary } = event;
  await need(`${by} has no event "${summary}"`, async () => {
    const [one] = await new Records(world).events(by, { by, summary });
    return one;
  });
  // The object of the Create is the event, with the Guid of its announcing post.
  return location.slice(location.lastIndexOf("/") + 1);
}

async function publishQuote(world: World, what: Posted): Promise<string> {
  const { by, text = "", quotes = "" } = what;
  const from = world.network.log.length;
  const quote = fillIn(world, quotes);
  const location = await postToOutbox(world, by, {
    type: "Note",
    content: fillIn(world, text),
    quote,
  });
  const actor = localActor(world, by);
  const request = await need("no QuoteRequest reached the network", () =>
    findSent(world, from, "QuoteRequest", (one) => {
      return idOf(one["actor"]) === actor && idOf(one["object"]) === quote;
    }),
  );
  world.placeholders.set("aliceQuoteRequest", String(request["id"]));
  return location.slice(location.lastIndexOf("/") + 1);
}

/** @returns the id of the resulting activity */
async function postToOutbox(
  world: World,
  by: LocalName,
  object: Json,
): Promise<string> {
  const actor = localActor(world, by);
  const to = [PUBLIC];
  const cc = [`${actor}/followers`];
  const activity = {
    "@context": "https://www.w3.org/ns/activitystreams",
    type: "Create",
    actor,
    to,
    cc,
    object: { ...object, attributedTo: actor, to, cc },
  };
  const { caller, token = "" } = world.services[by];
  const answer = await caller.call({
    method: "POST",
    path: `/api/v1/ap/person/${by}/outbox`,
    headers: {
      "content-type": "application/activity+json",
      access_token: token,
    },
    body: JSON.stringify(activity),
  });
  const what = `Create of ${String(object["type"])} at the outbox`;
  if (answer.status === 501)
    throw new CannotDo(`the server has no ${what} (501)`);
  const { location } = answer.headers;
  if (answer.status !== 201 || typeof location !== "string")
    throw new Error(`${what} was answered ${answer.status} ${answer.text}`);
  return location;
}

export async function joins(
  world: World,
  item: Item,
  phase: Phase,
): Promise<void> {
  const [who, ref] = item["joins"] as [LocalName, unknown];
  const from = world.network.log.length;
  const event = await findEvent(world, ref, phase);
  if (!event) return;
  const path = `/calendar/events/${String(event["ID"])}/participation`;
  const form = { status: "accepted" };
  const answer = await world.services[who].api("PUT", path, form);
  if (phase === "when") return;
  if (answer.status !== 200)
    throw new Error(`the participation was answered ${answer.status}`);
  const actor = localActor(world, who);
  const isOurs = textIn(event["Person"], "Author")?.endsWith(`@${world.host}`);
  if (isOurs === true) return;
  const join = await need("no Join reached the network", () =>
    findSent(world, from, "Join", (one) => idOf(one["actor"]) === actor),
  );
  if (who === "alice") world.placeholders.set("aliceJoin", String(join["id"]));
}

/** In `when`, the event may be arriving at the moment, or be refused. */
async function findEvent(
  world: World,
  ref: unknown,
  phase: Phase,
): Promise<Json | undefined> {
  const look = () => new Records(world).event(ref);
  if (phase === "given") return need("the event is not here", look);
  return need("", look).catch(() => undefined);
}

function guidOf(record: Json): string {
  const guid = textIn(record, "Guid");
  if (guid === undefined) throw new Error("a record without a Guid");
  return guid;
}
