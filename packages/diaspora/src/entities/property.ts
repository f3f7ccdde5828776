import type { Entity, EntityType } from "./entity-types.ts";

/** How a property is written and checked. */
export type PropertyKind =
  | { readonly is: "handle" | "guid" | "timestamp" | "date" }
  | { readonly is: "url" | "url_or_path" | "handles" }
  | { readonly is: "boolean" }
  | { readonly is: "integer" }
  | { readonly is: "text"; readonly noSemicolon?: true }
  | { readonly is: "choice"; readonly among: readonly string[] }
  | { readonly is: "entity"; readonly of: EntityType }
  | { readonly is: "entities"; readonly of: EntityType };

/** One property of an entity: its name here, its name on the wire, and its rules. */
export interface Property<Key extends string = string> {
  readonly key: Key;
  /** Element name; for nested entities the entity's name. */
  readonly name: string;
  readonly kind: PropertyKind;
  readonly required: boolean;
  /** In code points. */
  readonly maxLength?: number;
  /** For booleans: the value when missing. */
  readonly absentMeans?: boolean;
  /** The element must be present even without a value, or peers refuse the entity. */
  readonly elementRequired?: true;
  /** Not in the protocol: a malformed value is dropped instead of making the entity invalid. */
  readonly extension?: true;
}

interface Options {
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly absentMeans?: boolean;
  readonly elementRequired?: true;
  readonly extension?: true;
}

/** Option of a property that must have a value. */
export const REQUIRED = { required: true } as const;
/** Length limit of texts. */
export const LONG = 65535;

/** A property of any kind, optional by default; its wire name follows from its key. */
export function property<Key extends string>(
  key: Key,
  kind: PropertyKind,
  options: Options = {},
): Property<Key> {
  const name = "of" in kind ? kind.of : toSnakeCase(key);
  return { key, name, kind, required: false, ...options };
}

function toSnakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function simple(is: "handle" | "guid" | "timestamp" | "date") {
  return <Key extends string>(key: Key, options?: Options) =>
    property(key, { is }, options);
}

/** Properties of the kind in their name. */
export const handle = simple("handle");
export const guid = simple("guid");
export const timestamp = simple("timestamp");
export const date = simple("date");

/** Free text of at most `maxLength` code points. */
export function text<Key extends string>(
  key: Key,
  maxLength?: number,
  options?: Options,
) {
  const limit = maxLength === undefined ? {} : { maxLength };
  return property(key, { is: "text" }, { ...options, ...limit });
}

/** Part of a person's name: no semicolon, because pods use it as a separator. */
export function personName<Key extends string>(key: Key, maxLength: number) {
  return property(key, { is: "text", noSemicolon: true }, { maxLength });
}

/** A boolean that always has a value here. */
export function flag<Key extends string>(key: Key, absentMeans: boolean) {
  return property(key, { is: "boolean" }, { required: true, absentMeans });
}

/** An avatar. It should be absolute, but peers do send paths. */
export function imageUrl<Key extends string>(key: Key) {
  return property(key, { is: "url_or_path" }, { maxLength: 255 });
}

/** The value of one property. */
export type PropertyValue = string | number | boolean | Entity | Entity[];
