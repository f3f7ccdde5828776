import type { Timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { CustomEmoji } from "../custom-emojis.ts";
import type { AspectId, EventId, PersonId, PostId } from "../ids.ts";
import type { Key } from "../key.ts";
import type { PostLocation } from "./post-location.ts";

export type PostType = "post" | "reshare";

export type Post = {
  readonly id: PostId;
  readonly guid: string;
  readonly personId: PersonId;
  readonly type: PostType;
  /** A post that is not public is seen by its author and its recipients alone. */
  readonly public: boolean;
  /** Does a public post appear in the stream of all public posts? */
  readonly listed: boolean;
  /** Markdown. */
  readonly text: string;
  readonly providerName: string;
  /** Of a reshare: the post that it passes on, and that one's author. */
  readonly rootGuid: string | null;
  readonly rootPersonId: PersonId | null;
  readonly aspectId: AspectId | null;
  /** The calendar event that it carries. Who sees the post may see that one, too. */
  readonly eventId: EventId | null;
  /** Not for everyone's eyes: its author says so, or its text has the tag #nsfw. */
  readonly nsfw: boolean;
  /** What it warns of, in one line of plain text: shown in place of it until a reader opens it. */
  readonly warning: string | null;
  /** In which it is written, as a tag of BCP 47, where its author says so. */
  readonly language: string | null;
  /** The pictures for `:shortcodes:` in its texts. */
  readonly emojis: readonly CustomEmoji[];
  /** Where it was written, where its author says so. */
  readonly location: PostLocation | null;
  /** ActivityPub id of a post from elsewhere. */
  readonly uri: string | null;
  /** Of a post that came in two ways: the Guid that the second one gave it. It is found by both. */
  readonly otherGuid: string | null;
  /**
   * Of a private conversation that began elsewhere: the handles of all who take
   * part, sorted. Each sends what it says to all others itself. Null of any other post.
   */
  readonly participants: readonly string[] | null;
  /** Where a post from elsewhere is shown to people. */
  readonly url: string | null;
  /** Since when its author, elsewhere, shows it above all others. */
  readonly pinnedAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

/** What a diaspora* server accepts, in code points. */
export const MAX_TEXT_LENGTH = 65_535;

/** Of a warning, in code points. */
const MAX_WARNING_LENGTH = 500;

/** A warning as it is kept: one line, cut where it is too long. @returns null for a blank one */
export function readWarning(text: string | undefined): string | null {
  const kept = [...warningLine(text)].slice(0, MAX_WARNING_LENGTH).join("");
  return kept === "" ? null : kept;
}

/**
 * A warning as somebody here writes it, of whose words none are dropped.
 * @throws {KithError} `bad_request` where it is too long
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

/** What a post is found by. */
export type PostKey = Key<PostId>;
