import assert from "node:assert/strict";
import {
  signRelayable,
  type Comment,
  type Reshare,
  type StatusMessage,
} from "@kith/diaspora";
import type { Person } from "../../features/people/index.ts";
import { newGuid } from "../../lib/guids.ts";
import type { InboundResult } from "../inbound/inbound.ts";
import type {
  RemotePersonWithKey,
  HomeServer,
} from "../../../test/support/remote/home-server.ts";

export function assertDone(result: InboundResult, outcome: string): void {
  assert.deepEqual(result, { kind: "done", outcome });
}

export function assertRefused(result: InboundResult): void {
  assert.equal(result.kind, "done");
  assert.match(result.outcome, /^refused/);
}

export function statusMessage({ handle }: RemotePersonWithKey): StatusMessage {
  return {
    type: "status_message",
    author: handle,
    guid: newGuid(),
    createdAt: "2020-02-03T04:05:06Z",
    public: true,
    text: "Hello",
    photos: [],
  };
}

export function reshareOf(
  root: { readonly guid: string; readonly author: string },
  by: RemotePersonWithKey,
  guid = newGuid(),
): Reshare {
  return {
    type: "reshare",
    author: by.handle,
    guid,
    rootAuthor: root.author,
    rootGuid: root.guid,
  };
}

export function commentOf(
  { handle }: RemotePersonWithKey,
  parentGuid: string,
): Comment {
  const text = "A comment";
  return { type: "comment", author: handle, guid: newGuid(), parentGuid, text };
}

export function commentBy(
  author: RemotePersonWithKey,
  parentGuid: string,
): Promise<Comment> {
  return signRelayable(commentOf(author, parentGuid), author.privateKey);
}

export async function publish(
  { features }: HomeServer,
  person: Person,
  limitedTo?: Person,
) {
  const userId = person.userId ?? assert.fail();
  const author = { userId, personId: person.id };
  if (!limitedTo) return features.posts.publish({ author, text: "Of mine" });
  const aspect = await features.aspects.create(userId, newGuid());
  const by = { ...person, ...author };
  await features.aspects.addPerson(by, aspect.id, limitedTo.id);
  const aspectId = aspect.id;
  const audience = { kind: "aspects", aspectIds: [aspectId] } as const;
  return features.posts.publish({ author, text: "Of mine", audience });
}
