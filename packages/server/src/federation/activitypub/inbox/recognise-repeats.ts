import type { Activity } from "@kith/activitypub";
import { createHash } from "node:crypto";
import type { Person } from "../../../features/people/index.ts";
import type { NewInboundMessage } from "../../inbound/inbound-store.ts";

/**
 * Types that set a state and can be repeated once that state has changed. Misskey and Pixelfed
 * follow by one id for each pair, Friendica edits by one id for each post, and Hubzilla accepts by
 * one id for each contact. Mastodon pins without any id.
 */
const SETS_STATE: ReadonlySet<string> = new Set([
  "Accept",
  "Add",
  "Block",
  "Dislike",
  "EmojiReact",
  "Follow",
  "Ignore",
  "Join",
  "Leave",
  "Like",
  "Reject",
  "Remove",
  "TentativeAccept",
  "TentativeReject",
  "Undo",
  "Update",
]);

/** Their objects exist already, and decide themselves whether they may be answered or undone. */
const ABOUT_ANYTHING: ReadonlySet<string> = new Set([
  "Accept",
  "Ignore",
  "Reject",
  "Undo",
]);

type Recognised = Pick<
  NewInboundMessage,
  "messageId" | "about" | "proof" | "creates"
>;

/**
 * The keys by which a repeat is recognised. The same Create may arrive at several people's own
 * inboxes without naming them, and each is to receive it; but it creates one object.
 * @param signature of the request that brought it, verified
 */
export function recogniseRepeats(
  activity: Activity,
  body: Buffer,
  owner: Person | null,
  signature: Uint8Array,
): Recognised {
  const { type, object } = activity;
  const id = activity.id ?? derivedId(activity, body);
  const about = digest(`${type} ${object?.id ?? ""}`);
  if (type === "Create")
    return {
      messageId: owner ? `${id} ${owner.handle}` : id,
      about,
      creates: { activity: digest(id), object: about },
    };
  // An edit contains the whole object, and arrives at as many inboxes as it has readers.
  const anew = type === "Update" && object?.embedded ? body : signature;
  return {
    messageId: id,
    about: ABOUT_ANYTHING.has(type) ? null : about,
    proof: SETS_STATE.has(type) ? digest(anew) : null,
  };
}

/** Mastodon sends some activities without an id. */
function derivedId({ type, actor }: Activity, body: Buffer): string {
  return `${actor}#${type}-${createHash("sha256").update(body).digest("hex")}`;
}

function digest(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("base64url");
}
