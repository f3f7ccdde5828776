import { asText, type Json } from "../../lib/archives/read-json.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { ImportItem } from "../../features/imports/index.ts";
import { timeOf } from "./friendica-values.ts";
import { guidInAddress } from "./guid-in-address.ts";

/** Friendica's `item.verb` of a like and of a dislike. */
const IS_POSITIVE: ReadonlyMap<string, boolean> = new Map([
  ["http://activitystrea.ms/schema/1.0/like", true],
  ["http://purl.org/macgirvin/dfrn/1.0/dislike", false],
]);
const RESHARE = "https://www.w3.org/ns/activitystreams#Announce";

/**
 * A like or a dislike of the owner's. Other activities, such as answers to events, would notify
 * people.
 * @see Friendica, `Item::performActivity`
 */
export function readFriendicaActivity(item: Json): ImportItem {
  const verb = asText(item["verb"]);
  const own = storableText(asText(item["uri"]));
  const positive = IS_POSITIVE.get(verb);
  if (positive === undefined) {
    const kind = verb === RESHARE ? "reshare" : "like";
    return { kind, name: own, fault: "would_tell" };
  }
  const uri = storableText(asText(item["thr-parent"]));
  if (uri === "") return { kind: "like", name: own, fault: "malformed" };
  const like = {
    ...{ target: { uri }, positive, source: `friendica ${uri}` },
    otherwise: guidInAddress(uri),
    createdAt: timeOf(item["created"]) ?? null,
  };
  return { kind: "like", name: uri, like };
}
