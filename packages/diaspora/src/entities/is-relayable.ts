import type { Entity, EntityType } from "./entity-types.ts";
import type { Relayable } from "./relayable-types.ts";

/** Whether an entity is passed on by the root's author: comment, like, poll_participation or event_participation. */
export function isRelayable(entity: Entity): entity is Relayable {
  return isRelayableType(entity.type);
}

/** The same, by the entity's name. */
export function isRelayableType(type: EntityType): type is Relayable["type"] {
  return (
    type === "comment" ||
    type === "like" ||
    type === "poll_participation" ||
    type === "event_participation"
  );
}
