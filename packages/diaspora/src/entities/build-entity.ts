import { isRelayable } from "./is-relayable.ts";
import type { Entity } from "./entity-types.ts";
import type { Relayable, SignedProperties } from "./relayable-types.ts";
import { fieldsOf, SCHEMAS } from "./schema.ts";
import type { Property, PropertyValue } from "./property.ts";
import { validateEntity } from "./validate-entity.ts";
import { textElement } from "../xml/xml-write.ts";

const INDENT = "  ";

/**
 * Serializes an entity as the payload of an envelope: canonical values, fixed order, no declaration. Characters that XML
 * does not allow become U+FFFD. A relayable with `signed` is serialized as by {@link buildRelayed}.
 * @throws {DiasporaError} stage `validation` if the entity breaks a rule: peers would drop it
 * @see diaspora* federation protocol, XML Serialization
 */
export function buildEntity(entity: Entity): string {
  if (isRelayable(entity) && entity.signed) return buildRelayed(entity);
  validateEntity(entity);
  return writeEntity(entity, "").join("\n");
}

/**
 * Serializes a relayable for relaying: the properties that its author signed, including unknown ones, with the same texts
 * in the same order, and the same signature. One that was never signed or parsed is serialized as by {@link buildEntity}.
 * @throws {DiasporaError} stage `payload`, `invalid_property` if a stored name is not an XML name
 * @see diaspora* federation protocol, Relayable
 */
export function buildRelayed(entity: Relayable): string {
  if (!entity.signed) return buildEntity(entity);
  return [
    `<${entity.type}>`,
    ...writeSigned(entity.signed),
    `</${entity.type}>`,
  ].join("\n");
}

/** The text of a simple value on the wire. */
export function writeValue(value: string | number | boolean): string {
  return String(value);
}

function writeSigned(signed: SignedProperties): string[] {
  const lines = signed.properties.map(
    ([name, value]) => INDENT + textElement(name, value),
  );
  // Last, as in the reference; the position has no meaning, since signatures are not signed.
  if (signed.authorSignature !== undefined) {
    lines.push(
      INDENT + textElement("author_signature", signed.authorSignature),
    );
  }
  return lines;
}

function writeEntity(entity: Entity, indent: string): string[] {
  const fields = fieldsOf(entity);
  const inner = indent + INDENT;
  const lines = SCHEMAS[entity.type].flatMap((property) =>
    writeProperty(fields[property.key], property, inner),
  );
  return [`${indent}<${entity.type}>`, ...lines, `${indent}</${entity.type}>`];
}

function writeProperty(
  value: PropertyValue | undefined,
  property: Property,
  indent: string,
): string[] {
  if (value === undefined) {
    return property.elementRequired ? [`${indent}<${property.name}/>`] : [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((nested) => writeEntity(nested, indent));
  }
  if (typeof value === "object") return writeEntity(value, indent);
  return [indent + textElement(property.name, writeValue(value))];
}
