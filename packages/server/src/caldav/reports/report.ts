import type { DavCall } from "../context.ts";
import { DavError } from "../dav-error.ts";
import { sendXml } from "../methods/send.ts";
import { multistatus } from "../resources/multistatus.ts";
import { getResource } from "../resources/resource.ts";
import { readXml } from "../xml/read-xml.ts";
import { CALDAV, DAV, xml, xmlDocument } from "../xml/write-xml.ts";
import { freeBusy } from "./free-busy.ts";
import { multiget } from "./multiget.ts";
import { query } from "./query.ts";
import { sync } from "./sync.ts";

/** RFC 3253, section 3.6: the body says which report. */
export async function report(call: DavCall) {
  const { request, reply } = call;
  const body = readXml(request.body);
  if (!body) throw new DavError(400);
  const resource = await getResource(call);
  const wanted = `${body.namespace} ${body.name}`;
  // macOS asks what principals can be searched by, and takes no refusal.
  if (wanted === `${DAV} principal-search-property-set`) {
    const none = xml([DAV, "principal-search-property-set"]);
    return sendXml(reply, 200, xmlDocument(none));
  }
  if (resource.kind !== "calendar")
    throw new DavError(403, [DAV, "supported-report"]);
  const { calendar } = resource;
  switch (wanted) {
    case `${CALDAV} calendar-multiget`: {
      const responses = await multiget(call, calendar, body);
      return sendXml(reply, 207, multistatus(responses));
    }
    case `${CALDAV} calendar-query`: {
      const responses = await query(call, calendar, body);
      return sendXml(reply, 207, multistatus(responses));
    }
    case `${CALDAV} free-busy-query`:
      return reply
        .type("text/calendar; charset=utf-8")
        .header("cache-control", "private, no-store")
        .send(await freeBusy(call, calendar, body));
    case `${DAV} sync-collection`: {
      const { responses, token } = await sync(call, calendar, body);
      return sendXml(reply, 207, multistatus(responses, token));
    }
    default:
      throw new DavError(403, [DAV, "supported-report"]);
  }
}
