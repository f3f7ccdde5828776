import { isRelayable } from "../src/index.ts";
import type { Entity } from "../src/index.ts";
import { SCHEMAS } from "../src/entities/schema.ts";

/** Our own properties: the reference, and so the vectors, treat them as unknown. */
const EXTENSIONS = ["thread_parent_guid", "activitypub_id"];

/** An entity as the vectors write it: names as on the wire, with `_property_order` and `_additional`. */
export function toVectorForm(entity: Entity): Record<string, unknown> {
  const form: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(entity)) {
    const name = key.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`);
    if (["type", "signed", ...EXTENSIONS].includes(name)) continue;
    form[name] = toVectorValue(value);
  }
  if (!isRelayable(entity) || !entity.signed) return form;
  const { properties, authorSignature } = entity.signed;
  const known = SCHEMAS[entity.type]
    .map(({ name }) => name)
    .filter((name) => !EXTENSIONS.includes(name));
  const additional = properties.filter(([name]) => !known.includes(name));
  if (authorSignature !== undefined) form["author_signature"] = authorSignature;
  form["_property_order"] = properties.map(([name]) => name);
  if (additional.length > 0) {
    form["_additional"] = Object.fromEntries(additional);
  }
  return form;
}

function toVectorValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toVectorValue);
  if (typeof value !== "object" || value === null) return value;
  return toVectorForm(value as Entity);
}
