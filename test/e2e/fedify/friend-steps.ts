import assert from "node:assert/strict";
import { Accept, Follow, Undo } from "@fedify/vocab";
import type { PersonRecord } from "../../../packages/server/test/support/server/wire.ts";
import { eventually } from "../../support/kith-process.ts";
import {
  annOf,
  awaitActivity,
  type FedifyStep,
  type Meeting,
} from "./meeting.ts";

export const findEachOther: FedifyStep = {
  name: "both find each other by WebFinger and read the actor",
  walk: async (meeting) => {
    const { ann, kith, peer } = meeting;
    const handle = peer.handle;
    const found = await ann.api.post("/search", { handle });
    const { Author, Profile, ID } = found as PersonRecord;
    assert.equal(Author, handle);
    assert.equal(`${Profile.FirstName} ${Profile.LastName}`, "Fay on Fedify");
    meeting.fayId = String(ID);

    meeting.annUri = await actorUriOf(meeting);
    const jrd = await peer.context.lookupWebFinger(meeting.annUri);
    assert.equal(jrd?.subject, `acct:${ann.handle}`);
    const self = jrd.links?.find(({ rel }) => rel === "self");
    assert.equal(self?.href, meeting.annUri);
    const actor = await peer.lookUp(meeting.annUri);
    assert.equal(actor.preferredUsername, "ann");
    assert.equal(actor.id?.origin, kith.baseUrl);
    assert.ok(actor.endpoints?.sharedInbox);
    const methods: (string | undefined)[] = [];
    for await (const { publicKey } of actor.getAssertionMethods())
      methods.push(publicKey?.algorithm.name);
    assert.deepEqual(methods, ["Ed25519"]);
    const key = await actor.getPublicKey();
    assert.equal(key?.publicKey?.algorithm.name, "RSASSA-PKCS1-v1_5");
    meeting.annActor = actor;
  },
};

/** Resolves the handle at Kith directly, because Fedify resolves handles only over TLS. */
async function actorUriOf({ kith, ann }: Meeting): Promise<string> {
  const resource = encodeURIComponent(`acct:${ann.handle}`);
  const url = `${kith.baseUrl}/.well-known/webfinger?resource=${resource}`;
  const { links } = (await (await fetch(url)).json()) as {
    links: { rel: string; type?: string; href: string }[];
  };
  const self = links.find(
    ({ rel, type }) => rel === "self" && type === "application/activity+json",
  );
  assert.ok(self);
  return self.href;
}

/** The claimed size of a collection of Ann's actor. */
async function countOf(meeting: Meeting, name: "followers" | "following") {
  const response = await fetch(`${meeting.annUri}/${name}`, {
    headers: { accept: "application/activity+json" },
  });
  return ((await response.json()) as { totalItems: number }).totalItems;
}

export const followBothWays: FedifyStep = {
  name: "both follow each other, and both accept",
  walk: async (meeting) => {
    const { ann, peer } = meeting;
    const { ID } = await ann.api.post("/aspects", { aspect_name: "friends" });
    meeting.friends = String(ID);
    await ann.api.post(`/people/${meeting.fayId}/aspects/${meeting.friends}`);
    await awaitActivity(
      meeting,
      Follow,
      (it) => it.objectId?.href === peer.fay.href,
    );
    await eventually(async () => {
      assert.equal(await countOf(meeting, "following"), 1);
    });
    assert.deepEqual([...peer.followers.keys()], [meeting.annUri]);

    const follow = new Follow({
      id: peer.newId("follows"),
      actor: peer.fay,
      object: annOf(meeting),
    });
    await peer.send(annOf(meeting), follow);
    await awaitActivity(
      meeting,
      Accept,
      (it) => it.actorId?.href === meeting.annUri,
    );
    assert.equal(await countOf(meeting, "followers"), 1);
    const notifications = await ann.api.getList("/notifications");
    assert.deepEqual(
      notifications.map(({ ShareableType }) => ShareableType),
      ["Contact"],
    );
    meeting.follow = follow;
  },
};

export const unfollowBothWays: FedifyStep = {
  name: "both stop following each other",
  walk: async (meeting) => {
    const { ann, peer, follow } = meeting;
    assert.ok(follow);
    const undo = new Undo({
      id: peer.newId("undos"),
      actor: peer.fay,
      object: follow,
    });
    await peer.send(annOf(meeting), undo);
    await eventually(async () => {
      assert.equal(await countOf(meeting, "followers"), 0);
    });
    const { fayId, friends } = meeting;
    await ann.api.delete(`/people/${fayId}/aspects/${friends}`);
    await eventually(() => {
      assert.equal(peer.followers.size, 0);
      return Promise.resolve();
    });
    assert.equal(await countOf(meeting, "following"), 0);
  },
};
