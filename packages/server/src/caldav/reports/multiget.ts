import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import { responseOf, statusElement } from "../resources/multistatus.ts";
import { readHref } from "../resources/paths.ts";
import { listChildren, type XmlElement } from "../xml/read-xml.ts";
import { DAV, type XmlText } from "../xml/write-xml.ts";
import type { DavCalendar } from "../resources/dav-calendar.ts";
import { listNamedObjects } from "../resources/resource.ts";
import { createObjectResponses } from "./object-responses.ts";

const MAX_HREFS = 5000;
const AT_ONCE = 200;

/** The objects that a program names (RFC 4791, section 7.9). */
export async function multiget(
  call: DavCall,
  calendar: DavCalendar,
  body: XmlElement,
): Promise<XmlText[]> {
  const hrefs = listChildren(body, DAV, "href").map(({ text }) => text.trim());
  if (hrefs.length > MAX_HREFS)
    throw new DavError(403, [DAV, "number-of-matches-within-limits"]);
  const responses = await createObjectResponses(call, body);
  const named = hrefs.map((href) => ({
    href,
    name: nameIn(call, calendar, href),
  }));
  const written: XmlText[] = [];
  for (let at = 0; at < named.length; at += AT_ONCE) {
    const some = named.slice(at, at + AT_ONCE);
    const names = some.flatMap(({ name }) =>
      name === undefined ? [] : [name],
    );
    const found = await listNamedObjects(call, calendar, names);
    written.push(...(await responses.write(calendar, found)));
    const there = new Set(found.map(({ name }) => name));
    for (const { href, name } of some)
      if (name === undefined || !there.has(name))
        written.push(responseOf(href, [statusElement(404)]));
  }
  return written;
}

/** @returns undefined for what is not in this calendar */
function nameIn(
  { user }: DavCall,
  { pathName }: DavCalendar,
  href: string,
): string | undefined {
  const target = readHref(href);
  return target.kind === "object" &&
    target.username === user.username &&
    target.calendar === pathName
    ? target.name
    : undefined;
}
