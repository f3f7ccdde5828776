import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session, SignedIn } from "../../features/accounts/index.ts";
import type { NewDraftContent } from "../../features/drafts/index.ts";
import type { AudiencePreview } from "../../features/audiences/index.ts";
import type { DraftId } from "../../features/ids.ts";
import type { NoteResult } from "../../features/submissions/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import type { Html } from "../kit/html.ts";
import { writeOnce } from "../session/write-once.ts";
import { sendPage } from "../kit/send-page.ts";
import { momentOf } from "../languages/local-time.ts";
import { composeTexts as texts, pageTexts } from "../languages/texts.ts";
import { findMentioned, renderPostText } from "../posts/post-text.ts";
import { HOME, WRITE } from "../session/places.ts";
import {
  signInPath,
  type FormDraft as KeptDraft,
} from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { faultOfFailed } from "./failed-draft.ts";
import { contentOf, formOf } from "./draft-content.ts";
import {
  audienceOf,
  emptyDraft,
  readDraft,
  type PostDraft,
} from "./post-draft.ts";
import { faultOfPost, leaveOutGone, type PostFault } from "./post-fault.ts";
import { describePhotos, publishDraft } from "./publish-draft.ts";
import { addPostForm, type FormCall } from "./receive-post-form.ts";
import { DRAFTS, writeView } from "./write-view.ts";

const START = Type.Object({
  text: text("The text to begin with"),
  draft: text("The id of a saved draft"),
});
const ACT = Type.Object({ act: text("check, save or publish") });

/** The buttons of the form: only the last one publishes. */
type Act = "check" | "save" | "publish";

/** The page that writes posts, with everything a post can have. */
export function writeRoutes(app: FastifyInstance, context: PagesContext): void {
  app.get(
    WRITE,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      const given = readInput(START, request.parameters);
      const { user } = session;
      if (given.draft !== undefined) {
        const id = readDraftId(given.draft);
        const saved = await context.drafts.get(user.userId, id);
        const draft = {
          ...(await formOf(context, user, saved)),
          ...(await faultOfFailed(context, user, saved)),
        };
        return sendForm(context, reply, session, { draft });
      }
      const settings = await context.accounts.getSettings(user.userId);
      const { audience, postLanguage } = settings;
      const empty = emptyDraft(audience, postLanguage);
      const draft = { ...empty, text: given.text ?? "" };
      return sendForm(context, reply, session, { draft });
    },
  );
  addPostForm(app, context, {
    path: WRITE,
    show: ({ reply, session }, draft, status) =>
      sendForm(context, reply, session, { draft, status }),
    take: (call, draft, hasAdded) =>
      act(context, call, draft, { chosen: actOf(call.request), hasAdded }),
    faultOf: (error, draft, { request }) =>
      faultOf(context, error, draft, actOf(request)),
  });
}

function actOf({ parameters }: FastifyRequest): Act {
  const { act: chosen } = readInput(ACT, parameters);
  return chosen === "save" || chosen === "publish" ? chosen : "check";
}

/** @throws {KithError} `not_found` for text that is no id */
export function readDraftId(given: string): DraftId {
  if (!/^[1-9]\d{0,14}$/.test(given))
    throw new KithError("not_found", "No such draft.");
  return Number(given) as DraftId;
}

/** After a sign-in the form is shown again, and not submitted by itself. */
export function resumeWrite(
  context: PagesContext,
  _request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  kept: KeptDraft,
): Promise<FastifyReply> {
  const draft = { ...readDraft(kept), fault: pageTexts.write.signedOut };
  return sendForm(context, reply, session, { draft });
}

async function act(
  context: PagesContext,
  { request, reply, session }: FormCall,
  draft: PostDraft,
  { chosen, hasAdded }: { readonly chosen: Act; readonly hasAdded: boolean },
): Promise<FastifyReply> {
  const write =
    chosen === "save"
      ? () => save(context, session, draft)
      : chosen === "publish" && !hasAdded
        ? (note: NoteResult) => publish(context, session, draft, note)
        : undefined;
  if (write)
    return redirectTo(reply, await writeOnce(context, request, session, write));
  // New pictures are described before they are published.
  const notice = chosen === "publish" ? texts.describeFirst : undefined;
  return sendChecked(context, reply, session, draft, notice);
}

/** Shows the form with the people who would get the post. */
async function sendChecked(
  context: PagesContext,
  reply: FastifyReply,
  session: Session,
  draft: PostDraft,
  notice?: string,
): Promise<FastifyReply> {
  const audience = audienceOf(draft);
  const preview = await context.previewAudience(
    session.user,
    audience,
    draft.text,
    draft.photoIds,
  );
  const rendered = await renderDraft(context, draft);
  return sendForm(context, reply, session, {
    ...{ draft, preview, rendered, notice },
  });
}

/** The text as readers will see it. */
async function renderDraft(
  context: PagesContext,
  { text: written }: PostDraft,
): Promise<Html | undefined> {
  if (written.trim() === "") return undefined;
  const mentioned = await findMentioned(context, [written]);
  return renderPostText(context, written, mentioned);
}

/** Saves the form: as its draft, if it continues one. @returns the list of drafts */
async function save(
  context: PagesContext,
  { user }: Session,
  draft: PostDraft,
  publishAt: ReturnType<PagesContext["drafts"]["readPublishTime"]> = null,
): Promise<string> {
  const content = await readContent(context, user, draft);
  await context.drafts.save(user, { content, publishAt }, draft.draftId);
  return DRAFTS;
}

async function readContent(
  context: PagesContext,
  user: SignedIn,
  draft: PostDraft,
): Promise<NewDraftContent> {
  const { draftId } = draft;
  const { drafts } = context;
  const before =
    draftId === undefined ? undefined : await drafts.get(user.userId, draftId);
  const content = contentOf(draft, before?.content);
  await describePhotos(context, user, draft);
  return content;
}

/** Now, or at the chosen time. @returns the page to which it leads */
async function publish(
  context: PagesContext,
  session: Session,
  draft: PostDraft,
  note: NoteResult,
): Promise<string> {
  const { drafts } = context;
  const { user } = session;
  if (draft.publishAt !== "") {
    const at = readTime(context, draft.publishAt);
    // At its time nobody is there to correct it.
    if (draft.audience === "mentioned")
      await context.previewAudience(user, audienceOf(draft), draft.text);
    return save(context, session, draft, at);
  }
  if (draft.draftId === undefined)
    return publishDraft(context, user, draft, note);
  const content = await readContent(context, user, draft);
  await drafts.publishInPlaceOf(user, content, draft.draftId);
  return HOME;
}

/** @throws {KithError} `invalid_datetime` */
function readTime({ drafts }: PagesContext, local: string) {
  const moment = momentOf(local);
  try {
    if (moment !== undefined) return drafts.readPublishTime(moment);
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
  }
  throw new KithError("invalid_datetime", "There is no such time to publish.");
}

/** A fault that the author can correct. */
function faultOf(
  context: PagesContext,
  error: unknown,
  draft: PostDraft,
  chosen: Act,
): PostFault | undefined {
  const found = faultOfPost(context, error, draft);
  if (!(error instanceof KithError)) return found;
  if (error.code === "invalid_datetime")
    return { fault: texts.timeRefused, faulty: "publish_at" };
  const isGone = draft.draftId !== undefined && draft.audience !== "aspects";
  if (error.code === "not_found" && isGone && draft.audience !== "")
    return { fault: texts.gone };
  // A saved draft need not reach anybody yet.
  const isDraft = error.code === "bad_request" && chosen === "save";
  return isDraft && (found?.faulty ?? "audience") === "audience"
    ? { fault: texts.saveRefused }
    : found;
}

/** The fault of the form itself counts more than that of its pictures. */
async function withoutGone(
  context: PagesContext,
  user: SignedIn,
  draft: PostDraft,
): Promise<PostDraft> {
  const left = await leaveOutGone(context, user, draft);
  const { fault, faulty } = draft;
  if (left === undefined || fault === undefined) return left ?? draft;
  const { faulty: _, ...rest } = left;
  return { ...rest, fault, ...(faulty && { faulty }) };
}

async function sendForm(
  context: PagesContext,
  reply: FastifyReply,
  session: Session,
  shown: {
    readonly draft: PostDraft;
    readonly preview?: AudiencePreview;
    readonly rendered?: Html | undefined;
    readonly notice?: string | undefined;
    readonly status?: number;
  },
): Promise<FastifyReply> {
  const { photos, aspects } = context;
  const { user } = session;
  const { preview, rendered, notice, status = 200 } = shown;
  const draft = await withoutGone(context, user, shown.draft);
  const pictures = await Promise.all(
    draft.photoIds.map(async (id) => {
      const photo = await photos.findVisible({ id }, user);
      const src = photo && photos.shownUrlOf(photo, "thumb_large");
      return { id, src };
    }),
  );
  return sendPage(reply, {
    status,
    head: { title: texts.title, noindex: true },
    session,
    main: writeView({
      ...{ session, draft, pictures, preview, rendered, notice },
      aspects: await aspects.listSummaries(user.userId),
    }),
  });
}
