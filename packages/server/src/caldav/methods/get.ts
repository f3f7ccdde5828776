import { renderObjects } from "../../features/calendar-files/index.ts";
import { joinObjects } from "../../lib/icalendar/objects/join-objects.ts";
import { isNotModified } from "../../http/not-modified.ts";
import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import { listAllObjects } from "../resources/list-objects.ts";
import {
  etagOf,
  getResource,
  syncTokenOf,
  type Resource,
} from "../resources/resource.ts";

/** An object, or a whole calendar as one file. */
export async function getMethod(call: DavCall) {
  const { request, reply, deps } = call;
  const resource = await getResource(call);
  if (resource.kind !== "object" && resource.kind !== "calendar")
    throw new DavError(405);
  const etag =
    resource.kind === "object"
      ? etagOf(resource.object)
      : `"${syncTokenOf("", resource.calendar)}"`;
  void reply.headers({ etag, "cache-control": "private, no-cache" });
  if (isNotModified(request.headers, etag)) return reply.code(304).send();
  const text =
    resource.kind === "object"
      ? (await renderObjects(deps, [resource.object]))[0]?.ical
      : await wholeCalendar(call, resource);
  return reply.type("text/calendar; charset=utf-8").send(text);
}

async function wholeCalendar(
  call: DavCall,
  { calendar }: Extract<Resource, { kind: "calendar" }>,
): Promise<string> {
  const texts: string[] = [];
  for await (const some of listAllObjects(call, calendar))
    for (const { ical } of await renderObjects(call.deps, some))
      texts.push(ical);
  return joinObjects(calendar.name, texts);
}
