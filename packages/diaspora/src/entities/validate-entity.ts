import { DiasporaError } from "../errors.ts";
import type { DiasporaErrorCode } from "../errors.ts";
import type { Entity } from "./entity-types.ts";
import { brokenRule, splitHandles } from "./entity-rules.ts";
import { isGuid, isHandle } from "../identifiers.ts";
import { fieldsOf, SCHEMAS } from "./schema.ts";
import type { Property, PropertyKind, PropertyValue } from "./property.ts";
import {
  isDate,
  isHttpUrl,
  isTimestamp,
  isUrlOrPath,
  isWithinLength,
} from "../values.ts";

/** The longest list. A longer one would make the receiver look up thousands of people. */
const MAX_HANDLES_LENGTH = 65_535;

/**
 * Checks every property of an entity, including nested ones, and the rules between them. It needs nothing but the entity,
 * so it checks neither the sender nor stored data.
 * @throws {DiasporaError} stage `validation`: `missing_property` or `invalid_property`, naming the property
 * @see diaspora* federation protocol, Entities
 */
export function validateEntity(entity: Entity): void {
  const fields = fieldsOf(entity);
  for (const property of SCHEMAS[entity.type]) {
    const value = fields[property.key];
    const path = `${entity.type}.${property.name}`;
    if (value === undefined) {
      if (property.required) throw fault("missing_property", path, "missing");
    } else if (!isAcceptable(value, property)) {
      throw fault("invalid_property", path, "not acceptable");
    } else {
      for (const nested of nestedIn(value)) validateEntity(nested);
    }
  }
  const broken = brokenRule(entity);
  if (broken) throw fault("invalid_property", entity.type, broken);
}

/** Whether a value is valid for its property; of nested entities only the type is checked. */
export function isAcceptable(
  value: PropertyValue,
  property: Property,
): boolean {
  const { kind, maxLength } = property;
  if (kind.is === "boolean") return typeof value === "boolean";
  if (kind.is === "integer") {
    return Number.isSafeInteger(value) && Number(value) >= 0;
  }
  if (kind.is === "entity") return isEntityOf(value, kind.of);
  if (kind.is === "entities") {
    return (
      Array.isArray(value) && value.every((item) => isEntityOf(item, kind.of))
    );
  }
  return (
    typeof value === "string" &&
    value !== "" &&
    (maxLength === undefined || isWithinLength(value, maxLength)) &&
    isAcceptableText(value, kind)
  );
}

type TextKind = Exclude<
  PropertyKind,
  { is: "boolean" } | { is: "integer" } | { is: "entity" } | { is: "entities" }
>;

function isAcceptableText(text: string, kind: TextKind): boolean {
  switch (kind.is) {
    case "handle":
      return isHandle(text);
    case "guid":
      return isGuid(text);
    case "timestamp":
      return isTimestamp(text);
    case "date":
      return isDate(text);
    case "url":
      return isHttpUrl(text);
    case "url_or_path":
      return isUrlOrPath(text);
    case "handles":
      return (
        text.length <= MAX_HANDLES_LENGTH && splitHandles(text).every(isHandle)
      );
    case "choice":
      return kind.among.includes(text);
    case "text":
      return !(kind.noSemicolon && text.includes(";"));
  }
}

function isEntityOf(value: PropertyValue, type: Entity["type"]): boolean {
  return typeof value === "object" && "type" in value && value.type === type;
}

function nestedIn(value: PropertyValue): readonly Entity[] {
  if (typeof value !== "object") return [];
  return Array.isArray(value) ? value : [value];
}

function fault(
  code: DiasporaErrorCode,
  path: string,
  reason: string,
): DiasporaError {
  return new DiasporaError("validation", code, `${path}: ${reason}`);
}
