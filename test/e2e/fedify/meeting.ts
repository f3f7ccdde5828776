import assert from "node:assert/strict";
import type { Activity, Actor, Follow, Note } from "@fedify/vocab";
import type { DatabaseKind } from "../../../packages/server/test/support/server/databases.ts";
import type { Json } from "../../support/api-client.ts";
import { eventually, KithProcess } from "../../support/kith-process.ts";
import { Resident } from "../../support/resident.ts";
import { FedifyPeer, type SignatureKind } from "./peer.ts";
import { watchFedify, type Watch } from "./watch.ts";

/** Ann on Kith and Fay on Fedify, and all messages between them. */
export type Meeting = {
  readonly signatures: SignatureKind;
  readonly kith: KithProcess;
  readonly peer: FedifyPeer;
  readonly watch: Watch;
  readonly ann: Resident;
  /** Fay's id on Kith. */
  fayId: string;
  /** Ann's aspect with Fay. */
  friends: string;
  /** The address of Ann's actor, and Fedify's view of it. */
  annUri: string;
  annActor: Actor | undefined;
  /** The id of Fay's Follow of Ann. */
  follow: Follow | undefined;
  remove(): Promise<void>;
};

/** One action, and its effect on each server. */
export type FedifyStep = {
  readonly name: string;
  readonly walk: (meeting: Meeting) => Promise<void>;
};

/** Starts both servers, with people who do not know each other yet. */
export async function meet(
  database: DatabaseKind,
  signatures: SignatureKind,
): Promise<Meeting> {
  const kith = await KithProcess.start({ database, protocols: "activitypub" });
  const watch = await watchFedify(kith.baseUrl);
  const peer = await FedifyPeer.start(signatures);
  return {
    ...{ signatures, kith, peer, watch },
    ann: await Resident.settle(kith, "ann"),
    ...{
      fayId: "",
      friends: "",
      annUri: "",
      annActor: undefined,
      follow: undefined,
    },
    remove: async () => {
      await peer.remove();
      await watch.remove();
      await kith.remove();
    },
  };
}

/** Ann as a recipient for Fedify. */
export function annOf({ annActor }: Meeting): Actor {
  assert.ok(annActor, "Fay has found Ann");
  return annActor;
}

/** Waits until Fedify has accepted a matching activity of this type. */
export function awaitActivity<T extends Activity>(
  { peer }: Meeting,
  type: abstract new (...values: never[]) => T,
  fits: (activity: T) => boolean = () => true,
): Promise<T> {
  return eventually(() => {
    const found = peer.activities.find(
      (activity): activity is T => activity instanceof type && fits(activity),
    );
    assert.ok(
      found,
      `${type.name} is received, not only ${listReceived(peer)}`,
    );
    return Promise.resolve(found);
  });
}

function listReceived(peer: FedifyPeer): string {
  return peer.received.map(({ constructor }) => constructor.name).join();
}

/** Waits until Ann sees a post of Fay's. @returns its record */
export function seesPost({ ann }: Meeting, text: string): Promise<Json> {
  return eventually(async () => {
    const posts = await ann.api.getList("/posts?limit=100");
    const found = posts.find(({ Text }) => Text === text);
    assert.ok(found, `Ann sees ${text}`);
    return found;
  });
}

/** The texts of the replies to a post, as Ann sees them. */
export async function commentsOf(
  { ann }: Meeting,
  guid: string,
): Promise<string[]> {
  const comments = await ann.api.getList(`/posts/${guid}/comments`);
  return comments.map(({ Text }) => String(Text));
}

/** The id under which Kith serves an announced object. */
export function idOf(note: Note | Activity): URL {
  assert.ok(note.id, "it has an id");
  return note.id;
}
