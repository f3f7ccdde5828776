import type { Writing } from "../entities/status.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import type { Entity } from "../kit/wire.ts";
import type { MastodonDeps } from "./deps.ts";
import { loadStatuses } from "./load-statuses.ts";

/** Without a session less of a long conversation is shown. */
const MAX_BELOW = { viewer: 400, nobody: 60 };

/**
 * Presents what stands above and below a writing that the viewer may see: each reply directly
 * below what it replies to, and the oldest first among those to the same one.
 */
export async function loadContext(
  deps: MastodonDeps,
  { post, comment }: Writing,
  viewer: Viewer,
): Promise<Entity> {
  const { threads } = deps;
  const limit = MAX_BELOW[viewer ? "viewer" : "nobody"];
  const page = { offset: 0, limit };
  const [above, below] = await Promise.all([
    comment ? threads.listAbove(comment, viewer) : [],
    comment
      ? threads.listBelow(comment, page, viewer)
      : threads.listBelowPost(post.id, page, viewer),
  ]);
  const root = comment ? [{ post, comment: null }] : [];
  const [ancestors, descendants] = await Promise.all([
    loadStatuses(
      deps,
      [...root, ...above.map((it) => ({ post, comment: it }))],
      viewer,
    ),
    loadStatuses(
      deps,
      below.map((it) => ({ post, comment: it.comment })),
      viewer,
    ),
  ]);
  return { ancestors, descendants };
}
