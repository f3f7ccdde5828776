import { DiasporaError } from "../errors.ts";
import type { Entity, EntityType } from "./entity-types.ts";
import type { Relayable, SignedProperties } from "./relayable-types.ts";
import { isRelayableType } from "./is-relayable.ts";
import { isEntityType, SCHEMAS } from "./schema.ts";
import type { Property, PropertyValue } from "./property.ts";
import type { Fields } from "./schema.ts";
import { isAcceptable, validateEntity } from "./validate-entity.ts";
import { parseBoolean, parseInteger, parseTimestamp } from "../values.ts";
import { parseXml } from "../xml/xml.ts";
import type { XmlElement } from "../xml/xml.ts";

/**
 * Parses and validates the payload of a verified envelope. Relayables keep the properties their author signed in `signed`.
 *
 * Every entity is parsed, including those that peers send only inside others (`location`, `poll`, `poll_answer`, `event`,
 * `embed`): the receiver drops unexpected ones, and decides which sender may send which entity.
 * @throws {DiasporaError} stage `payload`: `doctype_refused`, `malformed_xml`, `too_large`, `too_complex` or
 *   `unknown_entity`; stage `validation`: `missing_property` or `invalid_property`
 * @see diaspora* federation protocol, XML Serialization and Entities
 */
export function parseEntity(payloadXml: string): Entity {
  const root = parseXml(payloadXml, "payload");
  if (!isEntityType(root.name)) {
    throw new DiasporaError("payload", "unknown_entity", "Unknown entity");
  }
  const entity = readEntity(root, root.name);
  validateEntity(entity);
  return entity;
}

function readEntity(element: XmlElement, type: EntityType): Entity {
  const fields: Fields = { type };
  for (const property of SCHEMAS[type]) {
    const value = readProperty(element, property);
    if (value !== undefined) fields[property.key] = value;
    else if (property.elementRequired && !findChild(element, property)) {
      throw missingElement(type, property);
    }
  }
  // The schema guarantees the shape; validateEntity checks required properties once, at the end.
  const entity = fields as unknown as Entity;
  if (isRelayableType(type)) {
    (entity as Relayable).signed = readSigned(element);
  }
  return entity;
}

function readProperty(
  parent: XmlElement,
  property: Property,
): PropertyValue | undefined {
  const { kind } = property;
  if (kind.is === "entities") {
    return parent.children
      .filter((child) => child.name === property.name)
      .filter(hasElements)
      .map((child) => readEntity(child, kind.of));
  }
  // The first of repeated elements counts.
  const child = findChild(parent, property);
  if (!child) return property.absentMeans;
  if (kind.is === "entity") {
    // An empty element means "no value", for nested entities too.
    return hasElements(child) ? readEntity(child, kind.of) : undefined;
  }
  const value = readText(child.text, property);
  return value ?? property.absentMeans;
}

function readText(text: string, property: Property): PropertyValue | undefined {
  if (text === "") return undefined;
  const { is } = property.kind;
  if (is === "boolean") return parseBoolean(text);
  if (is === "integer") return parseInteger(text);
  if (is === "timestamp") return parseTimestamp(text);
  return property.extension && !isAcceptable(text, property) ? undefined : text;
}

function readSigned(element: XmlElement): SignedProperties {
  const properties: [string, string][] = [];
  for (const child of element.children) {
    // Peers leave out every signature, at any position and of any signer (Friendica adds parent_author_signature).
    if (!child.name.includes("signature")) {
      properties.push([child.name, child.text]);
    }
  }
  const signature = element.children.find(
    (child) => child.name === "author_signature",
  );
  return signature && signature.text !== ""
    ? { properties, authorSignature: signature.text }
    : { properties };
}

function findChild(
  parent: XmlElement,
  property: Property,
): XmlElement | undefined {
  return parent.children.find((child) => child.name === property.name);
}

function hasElements(element: XmlElement): boolean {
  return element.children.length > 0;
}

function missingElement(type: EntityType, property: Property): DiasporaError {
  return new DiasporaError(
    "validation",
    "missing_property",
    `${type}.${property.name}: the element is missing`,
  );
}
