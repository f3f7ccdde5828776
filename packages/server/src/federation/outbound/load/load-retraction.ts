import type { PersonId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import type { RetractedKind } from "../../../features/retractions/index.ts";
import type { Outgoing } from "../outgoing.ts";
import type { LoadDeps } from "./deps.ts";
import { findLikedComment, findThread } from "./find-thread.ts";
import { loadPost } from "./load-post.ts";

export async function loadPostRetraction(
  { people, retractions }: LoadDeps,
  by: Person,
  guid: string,
): Promise<Outgoing | undefined> {
  // A remote post is retracted by its own server.
  if (by.userId === null) return undefined;
  const thing = { kind: "Post", guid, personId: by.id } as const;
  const details = (await retractions.find(thing))?.details;
  if (details?.kind !== "Post") return undefined;
  const { rootPersonId } = details;
  const rootAuthor =
    rootPersonId === null ? undefined : await people.find({ id: rootPersonId });
  const about = { by, guid, details, rootAuthor: rootAuthor ?? null };
  return { kind: "post_retraction", ...about };
}

type Retracted = { readonly guid: string; readonly authorId?: PersonId };

export async function loadRetraction(
  deps: LoadDeps,
  by: Person,
  kind: Exclude<RetractedKind, "Attendance" | "Post">,
  { guid, authorId = by.id }: Retracted,
): Promise<Outgoing | undefined> {
  const thing = { kind, guid, personId: authorId };
  const retraction = await deps.retractions.find(thing);
  const details = retraction?.details;
  if (!details || !("postId" in details) || details.postId === null)
    return undefined;
  const author = await deps.people.find({ id: retraction.personId });
  const thread = await findThread(deps, details.postId);
  // With the post gone, no server shows what was attached to it.
  if (!author || !thread) return undefined;
  const about = { by, author, guid, ...thread };
  switch (details.kind) {
    case "Comment": {
      const { uri } = retraction;
      const named = await deps.people.listById(details.mentioned ?? []);
      const mentioned = [...named.values()];
      return { kind: "comment_retraction", ...about, uri, mentioned };
    }
    case "Vote":
      return { kind: "vote_retraction", ...about };
    case "Photo": {
      // Attachments of a remote post are retracted by its own server.
      if (by.userId === null) return undefined;
      const content = await loadPost(deps, thread.post, by);
      return { kind: "photo_retraction", by, guid, content, ...thread };
    }
    case "Like": {
      const { positive } = details;
      const liked = await findLikedComment(deps, details.commentId);
      return { kind: "like_retraction", ...about, positive, ...liked };
    }
  }
}
