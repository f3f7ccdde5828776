import type { Db } from "../../db/db.ts";
import type { Audit } from "../audit/index.ts";
import type { Comments } from "../comments/index.ts";
import type { Events } from "../events/index.ts";
import type { People, Person } from "../people/index.ts";
import type { Posts } from "../posts/index.ts";
import type { HeldComment, HeldText, SpamRules } from "../spam-rules/index.ts";
import type { Strikes } from "../strikes/index.ts";

export type HeldTextsDeps = {
  readonly db: Db;
  readonly audit: Audit;
  readonly comments: Pick<Comments, "receiveRetraction" | "release">;
  readonly events: Pick<Events, "receivePostRetraction">;
  readonly people: Pick<People, "find" | "listById">;
  readonly posts: Pick<Posts, "find" | "release">;
  readonly spamRules: Pick<SpamRules, "held">;
  readonly strikes: Pick<Strikes, "record">;
};

/** A text that waits, as its author and moderators see it. */
export type ShownHeldText = Pick<
  HeldText,
  "createdAt" | "guid" | "id" | "kind" | "personId" | "rule"
> & {
  readonly author: Person | undefined;
  readonly text: string;
  readonly warning: string | null;
  /** Would everyone see it? */
  readonly isPublic: boolean;
  /** The Guid of the post that a comment is on. */
  readonly on: string | null;
};

export async function showHeld(
  deps: HeldTextsDeps,
  waiting: readonly HeldText[],
): Promise<ShownHeldText[]> {
  const authors = await deps.people.listById(
    waiting.map(({ personId }) => personId),
  );
  const shown: ShownHeldText[] = [];
  for (const held of waiting) {
    const { id, kind, guid, personId, rule, createdAt } = held;
    const post = await deps.posts.find({ id: held.postId });
    // Deleted meanwhile.
    if (!post) continue;
    const { text, warning } =
      held.kind === "post" ? post : withAddresses(held.comment);
    shown.push({
      ...{ id, kind, guid, personId, rule, createdAt, text, warning },
      author: authors.get(personId),
      isPublic: held.kind === "post" ? held.audience.public : post.public,
      on: held.kind === "post" ? null : post.guid,
    });
  }
  return shown;
}

/** A moderator decides about the files of a comment from elsewhere, too. */
const withAddresses = ({ text, warning, photos }: HeldComment) => ({
  text: [text, ...photos.map(({ url }) => url)].join("\n\n").trim(),
  warning,
});
