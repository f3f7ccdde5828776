import assert from "node:assert/strict";
import {
  Announce,
  Create,
  Delete,
  Event,
  Like,
  Note,
  Person,
  PUBLIC_COLLECTION,
  Tombstone,
  Undo,
  Update,
} from "@fedify/vocab";
import { guidOf } from "../../support/conversation.ts";
import { eventually } from "../../support/kith-process.ts";
import {
  annOf,
  commentsOf,
  awaitActivity,
  idOf,
  seesPost,
  type FedifyStep,
  type Meeting,
} from "./meeting.ts";

/** Waits until Fedify has read a note that contains this text. */
async function awaitNote(meeting: Meeting, text: string): Promise<Note> {
  const { context } = meeting.peer;
  return eventually(async () => {
    for (const activity of meeting.peer.activities) {
      if (!(activity instanceof Create)) continue;
      const note = await activity.getObject(context);
      if (note instanceof Note && String(note.content).includes(text))
        return note;
    }
    throw new Error(`Nobody said ${text}`);
  });
}

export const postBothWays: FedifyStep = {
  name: "both read the other's posts",
  walk: async (meeting) => {
    const { ann, peer } = meeting;
    await ann.publish("Hello from *Kith*, #hello");
    const note = await awaitNote(meeting, "Hello from");
    assert.equal(note.attributionId?.href, meeting.annUri);
    assert.ok(note.toIds.some(({ href }) => href === PUBLIC_COLLECTION.href));
    assert.match(String(note.content), /<em>Kith<\/em>/);
    const again = await peer.context.lookupObject(idOf(note));
    assert.ok(again instanceof Note);
    assert.equal(String(again.content), String(note.content));

    await peer.publish("<p>Hello from Fedify</p>");
    const post = await seesPost(meeting, "Hello from Fedify");
    assert.equal(post["Public"], true);
    assert.equal(String(post["PersonID"]), meeting.fayId);
  },
};

export const limitedPosts: FedifyStep = {
  name: "a post for one person is read only by them",
  walk: async (meeting) => {
    const { ann, kith, peer } = meeting;
    await ann.publish("For friends", { aspect: meeting.friends });
    const note = await awaitNote(meeting, "For friends");
    const addressed = [...note.toIds, ...note.ccIds].map(({ href }) => href);
    assert.ok(!addressed.includes(PUBLIC_COLLECTION.href));
    const headers = { accept: "application/activity+json" };
    assert.equal((await fetch(idOf(note), { headers })).status, 404);
    // Fay herself may, with her signature.
    const documentLoader = await peer.context.getDocumentLoader({
      identifier: "fay",
    });
    const { document } = await documentLoader(idOf(note).href);
    assert.match(JSON.stringify(document), /For friends/);

    await peer.publish("<p>For Ann</p>", { to: annOf(meeting) });
    const post = await seesPost(meeting, "For Ann");
    assert.equal(post["Public"], false);
    const { status } = await fetch(`${kith.baseUrl}/posts/${guidOf(post)}`);
    assert.equal(status, 404);
  },
};

export const replyBothWays: FedifyStep = {
  name: "both reply to each other",
  walk: async (meeting) => {
    const { ann, peer } = meeting;
    const fays = await seesPost(meeting, "Hello from Fedify");
    await ann.comment(guidOf(fays), "An answer of Ann's");
    const answer = await awaitNote(meeting, "An answer of Ann's");
    const [original] = [...peer.notes.keys()];
    assert.equal(answer.replyTargetId?.href, original);

    const anns = await awaitNote(meeting, "Hello from");
    const replyTarget = idOf(anns);
    await peer.publish("<p>An answer of Fay's</p>", { replyTarget });
    const post = await seesPost(meeting, "Hello from *Kith*, #hello");
    await eventually(async () => {
      const comments = await commentsOf(meeting, guidOf(post));
      assert.deepEqual(comments, ["An answer of Fay's"]);
    });
  },
};

export const likeBothWays: FedifyStep = {
  name: "both like the other's post, and undo it",
  walk: async (meeting) => {
    const { ann, peer } = meeting;
    const fays = await seesPost(meeting, "Hello from Fedify");
    const guid = await ann.like(guidOf(fays));
    const [original] = [...peer.notes.keys()];
    const liked = await awaitActivity(
      meeting,
      Like,
      (it) => it.objectId?.href === original,
    );
    await ann.removeLike(guid);
    await awaitActivity(
      meeting,
      Undo,
      (it) => it.objectId?.href === liked.id?.href,
    );

    const anns = await awaitNote(meeting, "Hello from");
    const post = await seesPost(meeting, "Hello from *Kith*, #hello");
    const like = new Like({
      id: peer.newId("likes"),
      actor: peer.fay,
      object: idOf(anns),
      to: annOf(meeting).id,
    });
    const path = `/posts/${guidOf(post)}/likes`;
    await peer.send(annOf(meeting), like);
    await eventually(async () => {
      assert.equal((await ann.api.getList(path)).length, 1);
    });
    const undo = new Undo({
      id: peer.newId("undos"),
      actor: peer.fay,
      object: like,
    });
    await peer.send(annOf(meeting), undo);
    await eventually(async () => {
      assert.equal((await ann.api.getList(path)).length, 0);
    });
  },
};

export const announceBothWays: FedifyStep = {
  name: "both announce the other's post",
  walk: async (meeting) => {
    const { ann, peer } = meeting;
    const fays = await seesPost(meeting, "Hello from Fedify");
    await ann.reshare(guidOf(fays));
    const [original] = [...peer.notes.keys()];
    await awaitActivity(
      meeting,
      Announce,
      (it) => it.objectId?.href === original,
    );

    const anns = await awaitNote(meeting, "Hello from");
    const post = await seesPost(meeting, "Hello from *Kith*, #hello");
    const announce = new Announce({
      id: peer.newId("announces"),
      actor: peer.fay,
      object: idOf(anns),
      tos: [PUBLIC_COLLECTION],
      ccs: [peer.fayFollowers],
    });
    await peer.send("followers", announce, true);
    await eventually(async () => {
      const { ResharesCount } = await ann.api.getRecord(
        `/posts/${guidOf(post)}`,
      );
      assert.equal(ResharesCount, 1);
    });
  },
};

export const editBothWays: FedifyStep = {
  name: "both receive updates",
  walk: async (meeting) => {
    const { ann, peer } = meeting;
    const [original] = [...peer.notes.values()];
    assert.ok(original);
    const post = await seesPost(meeting, "Hello from Fedify");
    const changed = original.clone({
      content: "<p>Hello again from Fedify</p>",
      updated: Temporal.Now.instant(),
    });
    peer.notes.set(idOf(changed).href, changed);
    const update = new Update({
      id: peer.newId("updates"),
      actor: peer.fay,
      object: changed,
      tos: [PUBLIC_COLLECTION],
      ccs: [peer.fayFollowers],
    });
    await peer.send("followers", update);
    await eventually(async () => {
      const { Text } = await ann.api.getRecord(`/posts/${guidOf(post)}`);
      assert.equal(Text, "Hello again from Fedify");
    });

    await ann.api.put("/profile", { FirstName: "Annabel" });
    const { context } = peer;
    await eventually(async () => {
      const updates = peer.activities.filter((it) => it instanceof Update);
      const objects = await Promise.all(
        updates.map((it) => it.getObject(context)),
      );
      const persons = objects.filter((it) => it instanceof Person);
      assert.equal(String(persons.at(-1)?.name), "Annabel");
    });
    const event = await ann.invite("Supper");
    await awaitActivity(meeting, Create, (it) => it.objectId !== null);
    await ann.api.put(`/calendar/events/${event.Guid}`, { summary: "Dinner" });
    await eventually(async () => {
      const updates = peer.activities.filter((it) => it instanceof Update);
      const objects = await Promise.all(
        updates.map((it) => it.getObject(context)),
      );
      const events = objects.filter((it) => it instanceof Event);
      assert.equal(String(events.at(-1)?.name), "Dinner");
    });
  },
};

export const deleteBothWays: FedifyStep = {
  name: "both remove retracted posts",
  walk: async (meeting) => {
    const { ann, peer } = meeting;
    const anns = await awaitNote(meeting, "Hello from");
    const mine = await seesPost(meeting, "Hello from *Kith*, #hello");
    await ann.removePost(guidOf(mine));
    await awaitActivity(
      meeting,
      Delete,
      (it) => it.objectId?.href === idOf(anns).href,
    );
    const headers = { accept: "application/activity+json" };
    assert.equal((await fetch(idOf(anns), { headers })).status, 410);

    const [original] = [...peer.notes.keys()];
    assert.ok(original);
    const post = await seesPost(meeting, "Hello again from Fedify");
    peer.notes.delete(original);
    const remove = new Delete({
      id: peer.newId("deletes"),
      actor: peer.fay,
      object: new Tombstone({ id: new URL(original) }),
      tos: [PUBLIC_COLLECTION],
      ccs: [peer.fayFollowers],
    });
    await peer.send("followers", remove);
    await eventually(async () => {
      const path = `/posts/${guidOf(post)}`;
      assert.equal((await ann.api.call("GET", path)).status, 404);
    });
  },
};
