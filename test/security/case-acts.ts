import assert from "node:assert/strict";
import type { JsonObject } from "@kith/activitypub";
import type { TestPerson } from "../../packages/server/test/support/server/kith-server.ts";
import {
  actorOf,
  objectOf,
} from "../../packages/server/test/support/remote/linked-data.ts";
import { plan } from "../../packages/server/test/support/scenes/planning.ts";
import { idOf } from "../../packages/server/test/support/remote/proving-actor.ts";
import type { RemoteActor } from "../../packages/server/test/support/remote/remote-server.ts";
import type {
  EventRecord,
  PostRecord,
} from "../../packages/server/test/support/server/wire.ts";
import { create, FOR_ALL, serve, type CaseServers } from "./case-town.ts";

/** An action of a remote person, and who may perform it. */
export type Act = {
  /** The owner prepares it, and gets the activity that only the owner may then send. */
  readonly by: (
    town: CaseServers,
    author: RemoteActor,
  ) => Promise<(by: RemoteActor) => JsonObject>;
  /**
   * `anybody`: each in their own name, so that only people blocked by ann have no effect.
   * `author`: it is about an object of the author's, and only the author may send it.
   */
  readonly of: "anybody" | "author";
};

type Prepared = (by: RemoteActor) => JsonObject;

async function publicPost({ ann }: CaseServers): Promise<string> {
  const { Guid } = await ann().post<PostRecord>("/posts", { post: "mine" });
  return Guid;
}

/** An action about a new post of ann's. */
const onPost =
  (type: string, more: (object: string, by: RemoteActor) => JsonObject) =>
  async (town: CaseServers): Promise<Prepared> => {
    const object = objectOf(town.kith(), await publicPost(town));
    return (by) => by.activity(type, { object, ...more(object, by) });
  };

/** An action about the post of a new event of ann's. */
const onEvent =
  (type: string, joined = false) =>
  async (town: CaseServers, author: RemoteActor): Promise<Prepared> => {
    const event = await plan(town.ann(), { summary: "Garden party" });
    await town.kith().settle();
    const posts = await town.ann().get<PostRecord[]>("/posts");
    const post = posts.find(({ Event }) => Event?.ID === event.ID);
    const object = objectOf(town.kith(), post?.Guid ?? assert.fail());
    if (joined) {
      const join = author.activity("Join", { object });
      await author.deliver(town.kith(), join);
    }
    return (by) => by.activity(type, { object });
  };

/** Ann's Follow of the author, as received there. */
async function followOf(
  town: CaseServers,
  author: RemoteActor,
): Promise<JsonObject> {
  await town.followed(author);
  const sent = town
    .good()
    .ofType("Follow")
    .map(({ activity }) => activity)
    .find(({ object }) => object === author.id);
  return sent ?? assert.fail("No Follow arrived");
}

/** A known post of the author's, served at its origin. */
async function known(
  town: CaseServers,
  author: RemoteActor,
  members: JsonObject = {},
): Promise<JsonObject> {
  await town.followed(author);
  const note = author.note(members);
  serve(town.good(), note);
  await author.deliver(town.kith(), create(author, note));
  assert.ok(await town.textOf(idOf(note)));
  return note;
}

const pin =
  (type: "Add" | "Remove") =>
  async (town: CaseServers, author: RemoteActor): Promise<Prepared> => {
    const target = `${author.id}/featured`;
    author.profile = { featured: target };
    const object = idOf(await known(town, author));
    if (type === "Remove")
      await author.deliver(
        town.kith(),
        author.activity("Add", { object, target }),
      );
    return (by) => by.activity(type, { object, target });
  };

/** An answer to ann, who comes to an event of the author's. */
const onJoin =
  (type: string) =>
  async (town: CaseServers, author: RemoteActor): Promise<Prepared> => {
    await known(town, author, {
      type: "Event",
      name: "Fair",
      startTime: "2026-03-10T09:00:00Z",
      joinMode: "free",
    });
    const { ann, kith, good } = town;
    const event = await eventBy(ann(), author);
    const path = `/calendar/events/${event.ID}/participation`;
    await ann().put(path, { status: "accepted" });
    await kith().settle();
    const join = good()
      .ofType("Join")
      .map(({ activity }) => activity)
      .at(-1);
    assert.ok(join);
    return (by) => by.activity(type, { object: join["id"] ?? "" });
  };

async function eventBy(
  ann: TestPerson,
  { handle }: RemoteActor,
): Promise<EventRecord> {
  const events = await ann.get<EventRecord[]>("/calendar/events", {
    limit: 100,
  });
  const found = events.find(({ Person }) => Person.Author === handle);
  return found ?? assert.fail("The event is not here");
}

/** By activity type; a handled type that is missing here fails a test. */
export const ACTS: Readonly<Record<string, Act>> = {
  Accept: {
    of: "author",
    by: async (town, author) => {
      const object = await followOf(town, author);
      return (by) => by.activity("Accept", { object });
    },
  },
  Add: { of: "author", by: pin("Add") },
  Announce: { of: "anybody", by: onPost("Announce", () => FOR_ALL) },
  Block: {
    of: "anybody",
    by: async (town, author) => {
      await town.followed(author);
      const object = actorOf(town.kith(), town.ann().username);
      return (by) => by.activity("Block", { object });
    },
  },
  Create: {
    of: "anybody",
    by: async (town) => {
      const inReplyTo = objectOf(town.kith(), await publicPost(town));
      return (by) => create(by, by.note({ inReplyTo }));
    },
  },
  Delete: {
    of: "author",
    by: async (town, author) => {
      const object = idOf(await known(town, author));
      return (by) => by.activity("Delete", { ...FOR_ALL, object });
    },
  },
  Dislike: { of: "anybody", by: onPost("Dislike", () => ({})) },
  EmojiReact: {
    of: "anybody",
    by: onPost("EmojiReact", () => ({ content: "🎉" })),
  },
  Flag: { of: "anybody", by: onPost("Flag", () => ({ content: "rude" })) },
  Follow: {
    of: "anybody",
    by: async (town) => {
      const object = actorOf(town.kith(), town.ann().username);
      return (by) => by.activity("Follow", { object });
    },
  },
  Ignore: { of: "author", by: onJoin("Ignore") },
  Join: { of: "anybody", by: onEvent("Join") },
  Leave: { of: "author", by: onEvent("Leave", true) },
  Like: { of: "anybody", by: onPost("Like", () => ({})) },
  Move: {
    of: "author",
    by: async (town, author) => {
      await town.followed(author);
      const next = town.honest();
      next.profile = { alsoKnownAs: [author.id] };
      return (by) =>
        by.activity("Move", { object: author.id, target: next.id });
    },
  },
  QuoteRequest: {
    of: "anybody",
    by: onPost("QuoteRequest", (quote, by) => ({
      instrument: by.note({ quote }),
    })),
  },
  Reject: {
    of: "author",
    by: async (town, author) => {
      const object = await followOf(town, author);
      const accept = author.activity("Accept", { object });
      await author.deliver(town.kith(), accept);
      return (by) => by.activity("Reject", { object });
    },
  },
  Remove: { of: "author", by: pin("Remove") },
  TentativeAccept: { of: "anybody", by: onEvent("TentativeAccept") },
  TentativeReject: { of: "anybody", by: onEvent("TentativeReject") },
  Undo: {
    of: "author",
    by: async (town, author) => {
      const object = objectOf(town.kith(), await publicPost(town));
      const like = author.activity("Like", { object });
      await author.deliver(town.kith(), like);
      return (by) => by.activity("Undo", { object: like });
    },
  },
  Update: {
    of: "author",
    by: async (town, author) => {
      const note = await known(town, author);
      const updated = "2026-05-05T00:00:00Z";
      const object = { ...note, content: "<p>changed</p>", updated };
      return (by) => by.activity("Update", { ...FOR_ALL, object });
    },
  },
};
