import type { PostId } from "../ids.ts";
import type { Viewer } from "../visibility/index.ts";
import { listPreviews, type ListPreviewsDeps } from "./list-previews.ts";

export { createForgetPreviews, FORGET_PREVIEWS } from "./forget-previews.ts";
export { readWebUrl, type LinkPreview } from "./link-preview.ts";
export { createPostLinks } from "./post-links.ts";
export {
  createReadLinkedPages,
  READ_LINKED_PAGES,
} from "./read-linked-pages.ts";

/** Previews of the pages that public posts link. */
export type LinkPreviews = ReturnType<typeof createLinkPreviews>;

export function createLinkPreviews(deps: ListPreviewsDeps) {
  return {
    /** The previews of posts that the caller has found visible. */
    listOf: (postIds: readonly PostId[], viewer: Viewer) =>
      listPreviews(deps, postIds, viewer),
  };
}
