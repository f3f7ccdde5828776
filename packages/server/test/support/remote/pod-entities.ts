import {
  signRelayable,
  type Comment,
  type Like,
  type Participation,
  type Reshare,
  type Retraction,
  type StatusMessage,
} from "@kith/diaspora";
import { newGuid } from "../../../src/lib/guids.ts";
import type { PodPerson } from "./diaspora-pod.ts";

/** A public post of a person's. */
export function podPost(
  { handle }: Pick<PodPerson, "handle">,
  more: Partial<StatusMessage> = {},
): StatusMessage {
  return {
    type: "status_message",
    author: handle,
    guid: newGuid(),
    createdAt: "2020-02-03T04:05:06Z",
    public: true,
    text: "from a pod",
    photos: [],
    ...more,
  };
}

export function podReshare(
  { handle }: PodPerson,
  root: { readonly author: string; readonly guid: string },
): Reshare {
  return {
    type: "reshare",
    author: handle,
    guid: newGuid(),
    rootAuthor: root.author,
    rootGuid: root.guid,
  };
}

/** A comment with its author's signature. */
export function podComment(
  { handle, privateKey }: PodPerson,
  parentGuid: string,
  more: Partial<Comment> = {},
): Promise<Comment> {
  const comment: Comment = {
    type: "comment",
    author: handle,
    guid: newGuid(),
    parentGuid,
    text: "a comment from a pod",
    createdAt: "2020-02-03T04:05:07Z",
    ...more,
  };
  return signRelayable(comment, privateKey);
}

export function podLike(
  { handle, privateKey }: PodPerson,
  parentGuid: string,
  more: Partial<Like> = {},
): Promise<Like> {
  const like: Like = {
    type: "like",
    author: handle,
    guid: newGuid(),
    parentGuid,
    parentType: "Post",
    positive: true,
    ...more,
  };
  return signRelayable(like, privateKey);
}

export function podParticipation(
  { handle }: PodPerson,
  parentGuid: string,
): Participation {
  return {
    type: "participation",
    author: handle,
    guid: newGuid(),
    parentGuid,
    parentType: "Post",
  };
}

export function podRetraction(
  { handle }: PodPerson,
  targetType: string,
  targetGuid: string,
): Retraction {
  return { type: "retraction", author: handle, targetGuid, targetType };
}
