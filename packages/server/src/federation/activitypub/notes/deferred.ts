import type { Person } from "../../../features/people/index.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { isOfServer } from "../authority/origins.ts";
import { findKnown, type ObjectsDeps } from "../records/objects.ts";

/**
 * Decides about an activity whose object is not known here. Order is guaranteed for each sender
 * alone: if the object is on the sender's own server, the activity may have overtaken it, and is
 * deferred until it arrives. Objects of other servers will not be sent here.
 */
export function deferUntilParentArrives(
  deps: ObjectsDeps,
  uri: string | undefined,
  sender: Person,
  what: string,
): InboundResult {
  if (uri === undefined || !isOfServer(uri, sender.addresses.actorUri ?? ""))
    return done(`${what} something unknown`);
  return waitFor(deps, uri, `${what} something that has not come yet`);
}

/** Decides about an activity whose object is on a server that is down at the moment. */
export function deferUntilServerAnswers(
  deps: ObjectsDeps,
  uri: string,
  what: string,
): InboundResult {
  return waitFor(deps, uri, `${what} something whose server is away`);
}

function waitFor(
  deps: ObjectsDeps,
  uri: string,
  reason: string,
): InboundResult {
  return {
    kind: "wait",
    reason,
    missing: {
      name: uri,
      isHere: async (reader) =>
        (await findKnown(deps, uri, reader)) !== undefined,
    },
  };
}
