import assert from "node:assert/strict";
import { signMigration, signRelayable, type Entity } from "@kith/diaspora";
import { newGuid } from "../../packages/server/src/lib/guids.ts";
import type { PodPerson } from "../../packages/server/test/support/remote/diaspora-pod.ts";
import { plan } from "../../packages/server/test/support/scenes/planning.ts";
import {
  podComment,
  podLike,
  podParticipation,
  podPost,
  podReshare,
  podRetraction,
} from "../../packages/server/test/support/remote/pod-entities.ts";
import { befriend } from "../../packages/server/test/support/remote/several-servers.ts";
import type { PostRecord } from "../../packages/server/test/support/server/wire.ts";
import type { CaseServers } from "./case-town.ts";

type Make = (by: PodPerson) => Entity | Promise<Entity>;

/** An entity that a person on a pod can send, and who may send it. */
export type Sent = {
  /** The owner prepares it, and gets the entity that only the owner may then send. */
  readonly by: (town: CaseServers, author: PodPerson) => Promise<Make>;
  /** Sent to one person, encrypted. */
  readonly private?: true;
  /** It concerns an object of ann's, so that people blocked by her have no effect. */
  readonly toAnn?: true;
  /** The table in which a repetition records its receipt and changes nothing else. */
  readonly touches?: "photos" | "profiles";
  /** It concerns an object of the author's, which others cannot change in their own names either. */
  readonly ofAuthor?: true;
};

async function postOf({ ann }: CaseServers): Promise<PostRecord> {
  return ann().post<PostRecord>("/posts", { post: "mine" });
}

/** Ann follows the author. */
async function friend(town: CaseServers, author: PodPerson): Promise<void> {
  await befriend(town.ann(), author.handle);
  await town.kith().settle();
}

async function known(town: CaseServers, author: PodPerson): Promise<string> {
  await friend(town, author);
  const post = podPost(author);
  await author.deliver(town.kith(), post);
  const { posts } = town.kith().server.features;
  assert.ok(await posts.find({ guid: post.guid }));
  return post.guid;
}

const conversation = (
  { handle }: PodPerson,
  ann: string,
): Entity & {
  type: "conversation";
} => {
  const guid = newGuid();
  return {
    type: "conversation",
    author: handle,
    guid,
    subject: "between us",
    participants: `${handle};${ann}`,
    messages: [
      {
        type: "message",
        author: handle,
        guid: newGuid(),
        text: "hello",
        conversationGuid: guid,
      },
    ],
  };
};

/** By entity type; an accepted type that is missing here fails a test. */
export const SENT: Readonly<Record<string, Sent>> = {
  status_message: {
    by: async (town, author) => {
      await friend(town, author);
      return (by) => podPost(by);
    },
  },
  photo: {
    touches: "photos",
    by: async (town, author) => {
      const statusMessageGuid = await known(town, author);
      return ({ handle }) => ({
        type: "photo",
        guid: newGuid(),
        author: handle,
        public: true,
        createdAt: "2020-02-03T04:05:06Z",
        remotePhotoPath: "https://pictures.example/",
        remotePhotoName: "p.png",
        statusMessageGuid,
      });
    },
  },
  reshare: {
    toAnn: true,
    by: async (town) => {
      const { Guid } = await postOf(town);
      const root = { author: town.ann().handle, guid: Guid };
      return (by) => podReshare(by, root);
    },
  },
  contact: {
    private: true,
    toAnn: true,
    by:
      async ({ ann }) =>
      ({ handle }) => ({
        type: "contact",
        author: handle,
        recipient: ann().handle,
        following: true,
        sharing: true,
        blocking: false,
      }),
  },
  profile: {
    touches: "profiles",
    by:
      async () =>
      ({ handle }) => ({
        type: "profile",
        author: handle,
        firstName: "Changed",
        searchable: true,
        public: true,
        nsfw: false,
      }),
  },
  participation: {
    private: true,
    toAnn: true,
    by: async (town) => {
      const { Guid } = await postOf(town);
      return (by) => podParticipation(by, Guid);
    },
  },
  account_deletion: {
    by:
      async () =>
      ({ handle }) => ({ type: "account_deletion", author: handle }),
  },
  account_migration: {
    by: async (town, author) => {
      await friend(town, author);
      const next = town.goodPod().person(`next-${author.name}`);
      const signature = await signMigration(
        author.handle,
        next.handle,
        next.privateKey,
      );
      return ({ handle }) => ({
        type: "account_migration",
        author: handle,
        profile: {
          type: "profile",
          author: next.handle,
          firstName: "Moved",
          searchable: true,
          public: true,
          nsfw: false,
        },
        signature,
      });
    },
  },
  conversation: {
    private: true,
    toAnn: true,
    by: async (town, author) => {
      await friend(town, author);
      return (by) => conversation(by, town.ann().handle);
    },
  },
  message: {
    private: true,
    ofAuthor: true,
    by: async (town, author) => {
      await friend(town, author);
      const talk = conversation(author, town.ann().handle);
      await author.whisper(town.kith(), talk, town.ann());
      return ({ handle }) => ({
        type: "message",
        author: handle,
        guid: newGuid(),
        text: "and more",
        conversationGuid: talk.guid,
      });
    },
  },
  comment: {
    toAnn: true,
    by: async (town) => {
      const { Guid } = await postOf(town);
      return (by) => podComment(by, Guid);
    },
  },
  like: {
    toAnn: true,
    by: async (town) => {
      const { Guid } = await postOf(town);
      return (by) => podLike(by, Guid);
    },
  },
  poll_participation: {
    toAnn: true,
    by: async ({ ann }) => {
      const json = {
        post: "?",
        poll_question: "Tea?",
        poll_answer: ["a", "b"],
      };
      const { text } = await ann().call("POST", "/posts", { json });
      const { Poll } = JSON.parse(text) as PostRecord;
      const [answer] = Poll?.Answers ?? [];
      assert.ok(Poll && answer);
      return ({ handle, privateKey }) =>
        signRelayable(
          {
            type: "poll_participation" as const,
            author: handle,
            guid: newGuid(),
            parentGuid: Poll.Guid,
            pollAnswerGuid: answer.Guid,
          },
          privateKey,
        );
    },
  },
  event_participation: {
    toAnn: true,
    by: async ({ ann, kith }) => {
      const event = await plan(ann(), { summary: "Feast" });
      await kith().settle();
      return ({ handle, privateKey }) =>
        signRelayable(
          {
            type: "event_participation" as const,
            author: handle,
            guid: newGuid(),
            parentGuid: event.Guid,
            status: "accepted" as const,
          },
          privateKey,
        );
    },
  },
  retraction: {
    ofAuthor: true,
    by: async (town, author) => {
      const guid = await known(town, author);
      return (by) => podRetraction(by, "Post", guid);
    },
  },
};
