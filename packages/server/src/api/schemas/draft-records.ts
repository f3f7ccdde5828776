import type { Draft, DraftContent } from "../../features/drafts/index.ts";
import type { WireRecord } from "./records.ts";

export function presentDraft(draft: Draft): WireRecord {
  const { content } = draft;
  return {
    ID: draft.id,
    CreatedAt: draft.createdAt,
    UpdatedAt: draft.updatedAt,
    Text: content.text,
    ...presentChoice(content),
    PhotoIDs: content.photoIds,
    EventID: content.eventId,
    QuoteID: content.quoteId,
    Nsfw: content.nsfw,
    ContentWarning: content.warning,
    Language: content.language,
    ...(content.quotableBy !== undefined &&
      content.quotableBy !== "everyone" && { QuotableBy: content.quotableBy }),
    Location: content.location && {
      Address: content.location.address,
      Lat: content.location.lat,
      Lng: content.location.lng,
    },
    Poll: content.poll && {
      Question: content.poll.question,
      Answers: content.poll.answers,
      Multiple: content.poll.multiple,
      EndsAt: content.poll.endsAt,
    },
    PublishAt: draft.publishAt,
    FailedReason: draft.failedReason,
  };
}

function presentChoice({ audience }: DraftContent): WireRecord {
  return {
    Audience: audience.kind === "mentioned" ? "people" : audience.kind,
    AspectIDs: audience.kind === "aspects" ? audience.aspectIds : [],
    PersonIDs: audience.kind === "people" ? audience.personIds : [],
  };
}
