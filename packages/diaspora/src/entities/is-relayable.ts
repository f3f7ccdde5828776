import type { Entity, EntityType } from "./entity-types.ts";
import type { Relayable } from "./relayable-types.ts";

/** Whether the root's author relays an entity: comment, like, poll_participation or event_participation. */
export function isRelayable(entity: Entity): entity is Relayable {
  return isRelayableType(entity.type);
}

/** The same, by entity name. */
export function isRelayableType(type: EntityType): type is Relayable["type"] {
  return (
    type === "comment" ||
    type === "like" ||
    type === "poll_participation" ||
    type === "event_participation"
  );
}
