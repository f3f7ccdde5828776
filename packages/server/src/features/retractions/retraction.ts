import {
  readStoredName,
  STORED_POST_TYPES,
  STORED_RETRACTED_KINDS,
} from "../../db/schema/stored-names.ts";
import type { CommentId, EventId, PersonId, PostId } from "../ids.ts";

export type RetractedKind = RetractionDetails["kind"];

/** What must be remembered of something that is gone, to tell those who had it. */
export type Retraction = {
  readonly kind: RetractedKind;
  readonly guid: string;
  /** Its author, who alone could have made it. */
  readonly personId: PersonId;
  readonly uri: string | null;
  readonly details: RetractionDetails;
};

export type RetractionDetails =
  | {
      readonly kind: "Post";
      readonly type: "post" | "reshare";
      readonly public: boolean;
      /** Who got a limited post, and who else follows what happens to it. */
      readonly recipients: readonly PersonId[];
      readonly rootPersonId: PersonId | null;
      readonly rootGuid: string | null;
      /** The ActivityPub id of what a reshare passed on, where that is from elsewhere. */
      readonly rootUri?: string | null;
      /** Whom its text named, until they have been told. */
      readonly mentioned?: readonly PersonId[];
      /** It carried an event. */
      readonly hadEvent?: boolean;
      /** Guids of the comments and likes that went with it. */
      readonly below?: readonly string[];
      /** Guids of the votes in its poll. */
      readonly votes?: readonly string[];
    }
  | {
      readonly kind: "Photo";
      /** null for one that hung on no post. */
      readonly postId: PostId | null;
    }
  | { readonly kind: "Vote"; readonly postId: PostId }
  | { readonly kind: "Attendance"; readonly eventId: EventId }
  | {
      readonly kind: "Comment";
      readonly postId: PostId;
      /** Whom its text named, until they have been told. */
      readonly mentioned?: readonly PersonId[];
      /** Guids of the likes that went with it. */
      readonly below?: readonly string[];
    }
  | {
      readonly kind: "Like";
      readonly postId: PostId;
      readonly commentId: CommentId | null;
      readonly positive: boolean;
    };

/** The details as they are stored, with the names that stand there. */
export function storeDetails(details: RetractionDetails): string {
  const kind = STORED_RETRACTED_KINDS[details.kind];
  return JSON.stringify(
    details.kind === "Post"
      ? { ...details, kind, type: STORED_POST_TYPES[details.type] }
      : { ...details, kind },
  );
}

export function loadDetails(stored: string): RetractionDetails {
  const details = JSON.parse(stored) as RetractionDetails;
  const kind = readStoredName(STORED_RETRACTED_KINDS, details.kind);
  return kind === "Post" && "type" in details
    ? {
        ...details,
        kind,
        type: readStoredName(STORED_POST_TYPES, details.type),
      }
    : ({ ...details, kind } as RetractionDetails);
}
