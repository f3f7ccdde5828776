import {
  readStoredName,
  STORED_POST_TYPES,
  STORED_RETRACTED_KINDS,
} from "../../db/schema/columns/stored-names.ts";
import type { CommentId, EventId, PersonId, PostId } from "../ids.ts";

export type RetractedKind = RetractionDetails["kind"];

/** The data that a tombstone keeps to notify the recipients. */
export type Retraction = {
  readonly kind: RetractedKind;
  readonly guid: string;
  /** Its author, the only person who could have created it. */
  readonly personId: PersonId;
  readonly uri: string | null;
  readonly details: RetractionDetails;
};

export type RetractionDetails =
  | {
      readonly kind: "Post";
      readonly type: "post" | "reshare";
      readonly public: boolean;
      /** Absent for a post in public lists, and for a limited one. */
      readonly unlisted?: boolean;
      /** Was it limited to the followers of its author? */
      readonly toFollowers?: boolean;
      /**
       * The recipients of a limited post; of a public one those who subscribed to it,
       * reshared it, or took part below it.
       */
      readonly recipients: readonly PersonId[];
      readonly rootPersonId: PersonId | null;
      readonly rootGuid: string | null;
      /** The ActivityPub id of a reshare's root, if that is remote. */
      readonly rootUri?: string | null;
      /** The people mentioned in its text, until they have been notified. */
      readonly mentioned?: readonly PersonId[];
      /** Did it have an event attached? */
      readonly hadEvent?: boolean;
      /** Guids of the comments and likes deleted with it. */
      readonly below?: readonly string[];
      /** Guids of the votes in its poll. */
      readonly votes?: readonly string[];
    }
  | {
      readonly kind: "Photo";
      /** null for a photo without a post. */
      readonly postId: PostId | null;
    }
  | { readonly kind: "Vote"; readonly postId: PostId }
  | { readonly kind: "Attendance"; readonly eventId: EventId }
  | {
      readonly kind: "Comment";
      readonly postId: PostId;
      /** The people mentioned in its text, until they have been notified. */
      readonly mentioned?: readonly PersonId[];
      /** Guids of the likes deleted with it. */
      readonly below?: readonly string[];
    }
  | {
      readonly kind: "Like";
      readonly postId: PostId;
      readonly commentId: CommentId | null;
      readonly positive: boolean;
    };

/** Serializes the details, with the names that the database uses. */
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
