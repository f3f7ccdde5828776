import type { Person } from "../../../../features/people/index.ts";
import { done, type InboundResult } from "../../../inbound/inbound.ts";
import { isOfServer } from "../../authority/origins.ts";
import { findKnown, type ObjectsDeps } from "../../records/objects.ts";

/**
 * What becomes of something that is said about a thing which is not known here.
 * Order is kept for each sender alone: where it is of the sender's own server, it
 * may have been overtaken, and what is said of it waits for it. Of what other
 * servers have nobody here will be told.
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

/** What becomes of something that is said about a thing whose server is away just now. */
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
