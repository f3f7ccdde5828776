import { displayName } from "../../features/people/index.ts";
import type { DavCall } from "../context.ts";
import { missing, propstat, responseOf } from "../resources/multistatus.ts";
import { propertiesOf } from "../resources/properties.ts";
import type { Resource } from "../resources/resource.ts";
import { findChild, type XmlElement } from "../xml/read-xml.ts";
import {
  CALDAV,
  DAV,
  xml,
  type XmlName,
  type XmlText,
} from "../xml/write-xml.ts";

/** The properties that a program asks for. */
export type WantedProperties =
  | { readonly kind: "all" | "names" }
  | { readonly kind: "some"; readonly names: readonly XmlName[] };

/** @param body with `prop`, `allprop` or `propname`; without any of them it is all */
export function readWanted(body: XmlElement | undefined): WantedProperties {
  const prop = findChild(body, DAV, "prop");
  if (prop)
    return {
      kind: "some",
      names: prop.children.map(({ namespace, name }) => [namespace, name]),
    };
  const isNames = findChild(body, DAV, "propname") !== undefined;
  return { kind: isNames ? "names" : "all" };
}

export const CALENDAR_DATA: XmlName = [CALDAV, "calendar-data"];

const isSame = (one: XmlName, other: XmlName) =>
  one[0] === other[0] && one[1] === other[1];

export function asksForData(wanted: WantedProperties): boolean {
  return (
    wanted.kind === "some" &&
    wanted.names.some((name) => isSame(name, CALENDAR_DATA))
  );
}

/** Selects the properties of resources for one call. */
export type SelectProperties = (resource: Resource, ical?: string) => XmlText;

export async function createSelect(
  call: DavCall,
  wanted: WantedProperties,
): Promise<SelectProperties> {
  const { personId, username } = call.user;
  const person = await call.deps.people.find({ id: personId });
  const name = person ? displayName(person) : username;
  return (resource, ical) => {
    const there = propertiesOf(call, resource, name);
    if (ical !== undefined)
      there.push([CALENDAR_DATA, xml(CALENDAR_DATA, ical)]);
    return responseOf(resource.href, select(there, wanted));
  };
}

function select(
  there: readonly (readonly [XmlName, XmlText | undefined])[],
  wanted: WantedProperties,
): XmlText[] {
  const present = there.flatMap(([name, element]) =>
    element ? [{ name, element }] : [],
  );
  if (wanted.kind !== "some")
    return propstat(
      200,
      present.map(({ name, element }) =>
        wanted.kind === "names" ? xml(name) : element,
      ),
    );
  const found = wanted.names.flatMap((name) =>
    present.filter((it) => isSame(it.name, name)).slice(0, 1),
  );
  const absent = wanted.names.filter(
    (name) => !present.some((it) => isSame(it.name, name)),
  );
  return [
    ...propstat(
      200,
      found.map(({ element }) => element),
    ),
    ...missing(absent),
  ];
}
