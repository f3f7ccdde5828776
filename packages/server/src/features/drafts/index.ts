import { KithError } from "../../lib/errors.ts";
import type { DraftId, PhotoId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import type { Author } from "../posts/index.ts";
import {
  deleteDraft,
  deleteSomeDraftsOf,
  findDraft,
  isPhotoOfDraft,
  listDrafts,
} from "./draft-store.ts";
import { laneOf } from "./publish-draft-job.ts";
import { publishDraftNow, type PublishDraftDeps } from "./publish-draft.ts";
import {
  readPublishTime,
  saveDraft,
  type SaveDraft,
  type SaveDraftDeps,
} from "./save-draft.ts";

export {
  MAX_AHEAD_MS,
  MAX_DRAFTS,
  MAX_POLL_DURATION_S,
  type Draft,
  type DraftContent,
} from "./draft.ts";
export type { NewDraftContent, SaveDraft } from "./save-draft.ts";
export { PUBLISH_DRAFT } from "./publish-draft-job.ts";
export { createPublishDraft } from "./publish-draft.ts";

type DraftsDeps = SaveDraftDeps & PublishDraftDeps;

/** Posts that users prepare, and publish later or have published at a time. */
export type Drafts = ReturnType<typeof createDrafts>;

export function createDrafts(deps: DraftsDeps) {
  const { db, clock, jobs } = deps;
  return {
    save: (author: Author, draft: SaveDraft, id?: DraftId) =>
      saveDraft(deps, author, draft, id),
    /** @throws {KithError} `invalid_datetime`, `bad_request` */
    readPublishTime: (text?: string) => readPublishTime(text, clock.now()),
    /**
     * Publishes this content in place of a draft's, which goes with it. Where it is refused, the
     * draft stays as it was.
     */
    publishInPlaceOf: (
      author: Author,
      content: SaveDraft["content"],
      id: DraftId,
    ) => publishDraftNow(deps, author, id, content),
    /** Publishes it now. @throws {KithError} as publishing does: the draft stays */
    publish: (author: Author, id: DraftId) => publishDraftNow(deps, author, id),
    /** @throws {KithError} `not_found`, also for another user's */
    get: async (userId: UserId, id: DraftId) => {
      const draft = await findDraft(db.read, userId, id);
      if (!draft) throw new KithError("not_found", "No such draft.");
      return draft;
    },
    /** @param scheduled those with a time alone, or those without */
    list: (userId: UserId, page: Page, scheduled?: boolean) =>
      listDrafts(db.read, userId, page, scheduled),
    /** Does a draft need this picture? */
    needPhoto: (id: PhotoId) => isPhotoOfDraft(db.read, id),
    /** @throws {KithError} `not_found`, also for another user's */
    remove: (userId: UserId, id: DraftId) =>
      db.transaction(async (tx) => {
        if (!(await deleteDraft(tx, userId, id)))
          throw new KithError("not_found", "No such draft.");
        // Its job finds nothing, and ends.
        await jobs.hurryLane(tx, laneOf(id), clock.now());
      }),
    /** Deletes some drafts of a user who has left. @returns true if more may remain */
    removeSomeOf: (userId: UserId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeDraftsOf(tx, userId, limit)) > 0,
      ),
  };
}
