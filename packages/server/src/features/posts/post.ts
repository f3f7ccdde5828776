import type { QuotablePeople } from "../../db/schema/columns/stored-names.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { CustomEmoji } from "../custom-emojis.ts";
import type { LimitedTo, NamedAspect } from "../audiences/index.ts";
import type { EventId, PersonId, PostId } from "../ids.ts";
import type { Key } from "../key.ts";
import type { PostLocation } from "./post-location.ts";

export type PostType = "post" | "reshare";

export type Post = {
  readonly id: PostId;
  readonly guid: string;
  readonly personId: PersonId;
  readonly type: PostType;
  /** A limited post is seen only by its author and its recipients. */
  readonly public: boolean;
  /** Does a public post appear in the stream of all public posts? */
  readonly listed: boolean;
  /** Markdown. */
  readonly text: string;
  readonly providerName: string;
  /** For a reshare: the root post and its author. */
  readonly rootGuid: string | null;
  readonly rootPersonId: PersonId | null;
  /** Null for a public post, and for a remote one. Only its author is shown it. */
  readonly limitedTo: LimitedTo | null;
  /** The aspects that a post is limited to. */
  readonly aspects: readonly NamedAspect[];
  /** The attached calendar event. Everyone who may see the post may see the event, too. */
  readonly eventId: EventId | null;
  /** Sensitive content: its author marked it so, or its text has the tag #nsfw. */
  readonly nsfw: boolean;
  /**
   * The content warning, one line of plain text: shown in place of the post until a reader
   * opens it.
   */
  readonly warning: string | null;
  /** Its language as a BCP 47 tag, if the author gives it. */
  readonly language: string | null;
  /** The people who may quote it, beside its author, if it is public. */
  readonly quotableBy: QuotablePeople;
  /** The pictures for `:shortcodes:` in its texts. */
  readonly emojis: readonly CustomEmoji[];
  /** Where it was written, if the author gives it. */
  readonly location: PostLocation | null;
  /** ActivityPub id of a remote post. */
  readonly uri: string | null;
  /** For a post received over both protocols: the second Guid. The post is found by either. */
  readonly otherGuid: string | null;
  /**
   * For a private conversation: all participants, sorted, by their handles or the ids by
   * which its message names them; of one that was started here only its author, since all
   * its recipients are known. Null for any other post.
   */
  readonly participants: readonly string[] | null;
  /** The web page of a remote post. */
  readonly url: string | null;
  /** Since when its author has pinned it above all others. */
  readonly pinnedAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** The limit of diaspora* servers, in code points. */
export const MAX_TEXT_LENGTH = 65_535;

/** For a warning, in code points. */
export const MAX_WARNING_LENGTH = 500;

/**
 * Reads a warning as stored: one line, truncated if too long.
 * @returns null for a blank one
 */
export function readWarning(text: string | undefined): string | null {
  const kept = [...warningLine(text)].slice(0, MAX_WARNING_LENGTH).join("");
  return kept === "" ? null : kept;
}

/**
 * Checks a local author's warning, which is never truncated.
 * @throws {KithError} `bad_request` if it is too long
 */
export function checkWarning(text: string | undefined): string | null {
  const line = warningLine(text);
  if ([...line].length > MAX_WARNING_LENGTH)
    throw new KithError(
      "bad_request",
      `The content warning must have at most ${MAX_WARNING_LENGTH} characters.`,
    );
  return line === "" ? null : line;
}

function warningLine(text = ""): string {
  return storableText(text).replace(/\s+/g, " ").trim();
}

/** The keys by which a post can be found. */
export type PostKey = Key<PostId>;
