import { buildActivity, serialize, withContext } from "@kith/activitypub";
import type { CommentId, PostId } from "../../../features/ids.ts";
import type { Moderation, Report } from "../../../features/moderation/index.ts";
import type { People } from "../../../features/people/index.ts";
import { DONE, type JobHandler } from "../../../jobs/job.ts";
import type { Dispatcher } from "../../outbound/dispatch.ts";
import type { ObjectsDeps } from "../records/objects.ts";
import { derivedGuid } from "../records/uris.ts";

export type SendFlagDeps = Pick<ObjectsDeps, "posts" | "comments" | "uris"> & {
  readonly moderation: Moderation;
  readonly people: People;
  readonly dispatch: Dispatcher;
};

/**
 * Forwards a report to the server of the reported person: as this server, so
 * that the reporter stays anonymous. The account comes first, then its objects.
 */
export function createSendFlag(
  deps: SendFlagDeps,
): JobHandler<{ readonly reportId: number }> {
  return async ({ reportId }) => {
    const report = (await deps.moderation.find(reportId))?.report;
    const { personId = null } = report ?? {};
    const person =
      personId === null ? undefined : await deps.people.find({ id: personId });
    // Nothing is sent about a person who was suspended meanwhile.
    if (!report || person?.state !== "active") return DONE;
    const { actorUri, sharedInboxUri, inboxUri } = person.addresses;
    const url = sharedInboxUri ?? inboxUri;
    if (actorUri === null || url === null) return DONE;
    const written = await findUri(deps, report);
    const flag = buildActivity({
      id: deps.uris.activity(derivedGuid("flag", report.guid)),
      type: "Flag",
      actor: deps.uris.instance,
      object: [actorUri, ...(written === null ? [] : [written])],
      content: report.text,
      to: [actorUri],
    });
    const delivery = {
      protocol: "activitypub",
      url,
      place: url,
      senderUserId: null,
      recipientId: null,
    } as const;
    const document = serialize(withContext(flag));
    const order = { about: `flag:${report.guid}` };
    await deps.dispatch([{ document, deliveries: [delivery], order }]);
    return DONE;
  };
}

/**
 * Its id there; null for an object received over diaspora*, or deleted by now.
 */
async function findUri(
  { posts, comments }: SendFlagDeps,
  { targetKind, targetGuid: guid }: Report,
): Promise<string | null> {
  if (guid === null || targetKind === "person") return null;
  const thing: { id: PostId | CommentId; uri: string | null } | undefined =
    targetKind === "post"
      ? await posts.find({ guid })
      : await comments.find({ guid });
  return thing?.uri ?? null;
}
