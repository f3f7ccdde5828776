import { createHash } from "node:crypto";
import type { Aspect } from "../../features/aspects/index.ts";
import type { Marker } from "../../features/markers/index.ts";
import type { Report } from "../../features/moderation/index.ts";
import { toWireId, toWireTime, type Entity } from "../kit/wire.ts";
import { tagUrl, type SiteAddresses } from "./site.ts";

export const presentList = (aspect: Aspect): Entity => ({
  id: toWireId(aspect.id),
  title: aspect.name,
  replies_policy: aspect.repliesPolicy,
  exclusive: aspect.exclusive,
});

/** Tags have no ids of their own, but clients want one. */
const BYTES_OF_ID = 6;

/** The part of a tag that depends on the viewer. */
export type OwnTag = {
  readonly following: boolean;
  readonly featuring: boolean;
};

/** @param own undefined without a viewer */
export const presentTag = (
  site: SiteAddresses,
  name: string,
  own: OwnTag | undefined,
): Entity => ({
  id: String(
    createHash("sha256").update(name).digest().readUIntBE(0, BYTES_OF_ID),
  ),
  name,
  url: tagUrl(site, name),
  history: [],
  ...own,
});

/** A list that was never read has a place before everything. */
const UNREAD = {
  last_read_id: "0",
  version: 0,
  updated_at: "1970-01-01T00:00:00.000Z",
};

export const presentMarker = (marker: Marker | undefined): Entity =>
  marker
    ? {
        last_read_id: toWireId(marker.lastReadId),
        version: marker.version,
        updated_at: toWireTime(marker.updatedAt),
      }
    : UNREAD;

export const presentReportOf = (
  report: Report,
  account: Entity,
  statusIds: readonly number[],
): Entity => ({
  id: toWireId(report.id),
  action_taken: report.resolvedAt !== null,
  action_taken_at: report.resolvedAt && toWireTime(report.resolvedAt),
  category: report.category,
  comment: report.text,
  forwarded: report.forwarded,
  created_at: toWireTime(report.createdAt),
  status_ids: statusIds.length > 0 ? statusIds.map(toWireId) : null,
  rule_ids: null,
  target_account: account,
});
