import { jobKind } from "../../jobs/job.ts";
import type { DraftId } from "../ids.ts";

/** The job that publishes a draft at its time. */
export const PUBLISH_DRAFT = jobKind<{ readonly draftId: DraftId }>(
  "publish-draft",
);

export function laneOf(id: DraftId): string {
  return `${PUBLISH_DRAFT.name}:${id}`;
}
