import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import { homeHref, principalHref } from "../resources/paths.ts";
import {
  calendarResource,
  getResource,
  listHomeCalendars,
  objectResource,
  type Resource,
} from "../resources/resource.ts";
import { multistatus } from "../resources/multistatus.ts";
import { readXml, isNamed } from "../xml/read-xml.ts";
import { DAV, type XmlText } from "../xml/write-xml.ts";
import { listAllObjects } from "../resources/list-objects.ts";
import { createSelect, readWanted } from "./select-properties.ts";
import { sendXml } from "./send.ts";

/** RFC 4918, section 9.1. A missing depth counts as 1. */
export async function propfind(call: DavCall) {
  const { request } = call;
  const depth = request.headers["depth"] ?? "1";
  if (depth !== "0" && depth !== "1")
    throw new DavError(403, [DAV, "propfind-finite-depth"]);
  const body = readXml(request.body);
  if (body && !isNamed(body, DAV, "propfind")) throw new DavError(400);
  const resource = await getResource(call);
  const select = await createSelect(call, readWanted(body));
  const responses: XmlText[] = [select(resource)];
  if (depth === "1")
    for await (const member of membersOf(call, resource))
      responses.push(select(member));
  return sendXml(call.reply, 207, multistatus(responses));
}

async function* membersOf(
  call: DavCall,
  resource: Resource,
): AsyncGenerator<Resource> {
  const { username } = call.user;
  switch (resource.kind) {
    case "principals":
      yield { kind: "principal", href: principalHref(username) };
      break;
    case "homes":
      yield { kind: "home", href: homeHref(username) };
      break;
    case "home":
      for (const calendar of await listHomeCalendars(call))
        yield calendarResource(username, calendar);
      break;
    case "calendar":
      for await (const some of listAllObjects(call, resource.calendar))
        for (const object of some)
          yield objectResource(username, resource.calendar, object);
      break;
    default:
      break;
  }
}
