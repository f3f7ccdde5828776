import type { Db } from "../../db/db.ts";
import type { CustomEmoji } from "../custom-emojis.ts";
import type { EditTime } from "../edit-times.ts";
import type { Facts } from "../facts.ts";
import type { PersonId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import type { SpamRules } from "../spam-rules/index.ts";
import type { Texts } from "../texts/index.ts";
import type { Post } from "./post.ts";
import type { PostLinks } from "./post-links.ts";
import type { PostLocation } from "./post-location.ts";
import type { PostPhotos, ReceivedPhoto } from "./post-photos.ts";
import { updatePostText } from "./post-store.ts";
import { listRecipientIds } from "./recipient-store.ts";
import { isMarkedNsfw } from "./publish-post.ts";
import { listQuoterIds } from "./queries/quoter-queries.ts";
import { listResharerIds } from "./queries/reshare-queries.ts";
import { findPostToEdit, keepReplaced } from "./edit-post.ts";

/** A remote author's edit. */
export type ReceivedEdit = (
  { readonly uri: string } | { readonly guid: string }
) &
  EditTime & {
    readonly by: PersonId;
    readonly text: string;
    /** People mentioned outside the text, as in ActivityPub. */
    readonly mentioned?: readonly PersonId[];
    /** Tags named outside the text. */
    readonly tags?: readonly string[];
    /** For a post; unchanged if absent. */
    readonly nsfw?: boolean;
    /** For a post or comment; unchanged if absent. */
    readonly warning?: string | null;
    readonly language?: string | null;
    /** For a post; unchanged if absent. */
    readonly quotableBy?: Post["quotableBy"];
    readonly emojis?: readonly CustomEmoji[];
    readonly location?: PostLocation | null;
    /** All its current pictures; unchanged if absent. */
    readonly photos?: readonly ReceivedPhoto[];
  };

/**
 * `older`: the stored version is as new or newer. `unknown`: this author has no such post
 * or comment. `refused`: a rule of this server refuses the text.
 */
export type EditOutcome = "changed" | "older" | "refused" | "unknown";

type ReceiveEditDeps = {
  readonly db: Db;
  readonly facts: Facts;
  readonly texts: Texts;
  readonly photos: Pick<PostPhotos, "describe" | "replace">;
  readonly links: Pick<PostLinks, "replace">;
  readonly indexing: Pick<Indexing, "renewPost">;
  readonly spamRules: Pick<SpamRules, "admit">;
};

/**
 * Applies a remote author's edit of a post, with its tags, mentions and pictures. Its
 * audience and its poll stay as they were, and an edit older than the stored version
 * changes nothing. People whom it mentions are notified, once.
 */
export async function receivePostEdit(
  deps: ReceiveEditDeps,
  edit: ReceivedEdit,
): Promise<EditOutcome> {
  const { db, facts, texts, photos, indexing } = deps;
  const { by, text, mentioned } = edit;
  const found = texts.read(text, edit.tags);
  return db.transaction(async (tx) => {
    const post = await findPostToEdit(db, tx, edit);
    if (post?.personId !== by || post.type !== "post") return "unknown";
    const {
      nsfw = post.nsfw,
      warning = post.warning,
      language = post.language,
      quotableBy = post.quotableBy,
      emojis = post.emojis,
      location = post.location,
    } = edit;
    const changed = {
      ...{ text, warning, language, quotableBy, emojis, location },
      nsfw: nsfw || isMarkedNsfw(found),
    };
    const written = { ...post, kind: "post", text, found, mentioned } as const;
    const readers = () => listRecipientIds(tx, post.id);
    const about = { ...written, isPublic: post.public, readers };
    if (text !== post.text && !(await deps.spamRules.admit(tx, about)))
      return "refused";
    if (!(await updatePostText(tx, post.id, changed, edit))) return "older";
    const before = await photos.describe(tx, post.id);
    if (edit.photos) await photos.replace(tx, post, edit.photos);
    const after = edit.photos ? await photos.describe(tx, post.id) : before;
    await keepReplaced(texts, tx, post, changed, { before, after });
    const place = { postId: post.id, commentId: null };
    const mentions = await texts.replace(tx, place, found, mentioned);
    await indexing.renewPost(tx, post.id);
    await deps.links.replace(tx, post, found.link);
    // Most edits affect no local account in particular.
    const fact = { type: "post.changed", postId: post.id, by } as const;
    const isNaming =
      mentions.areAnyLocal ||
      (await texts.isAnyLocal(tx, await listResharerIds(tx, post.guid))) ||
      (await texts.isAnyLocal(tx, await listQuoterIds(tx, post.guid)));
    await (isNaming ? facts.record(tx, fact) : facts.note(tx, fact));
    return "changed";
  });
}
