import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { PICTURES } from "../kit/components/picture-fields.ts";
import { pageTexts } from "../languages/texts.ts";
import { admitUploads } from "../session/admit-uploads.ts";
import { DRAFT_BODY_LIMIT, draftOf } from "../session/return-target.ts";
import type { PagesContext } from "../session/visitor.ts";
import { receiveDraft } from "../sign-in/receive-draft.ts";
import { POST_FIELDS, readDraft, type PostDraft } from "./post-draft.ts";
import {
  faultOfPost,
  withoutGonePictures,
  type PostFault,
} from "./post-fault.ts";
import { refusedStatus, uploadPhotos } from "./publish-draft.ts";

export type FormCall = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: Session;
};

/** A page with the form for a post. */
export type PostForm = {
  readonly path: string;
  /** Shows the form again. */
  readonly show: (
    call: FormCall,
    draft: PostDraft,
    status: number,
  ) => Promise<FastifyReply>;
  /** @param hasAdded whether pictures have just been uploaded */
  readonly take: (
    call: FormCall,
    draft: PostDraft,
    hasAdded: boolean,
  ) => Promise<FastifyReply>;
  /** The words for an error that the author can correct. */
  readonly faultOf?: (
    error: unknown,
    draft: PostDraft,
    call: FormCall,
  ) => PostFault | undefined;
};

/** Adds the route that takes the form of a page. A refused draft keeps its pictures. */
export function addPostForm(
  app: FastifyInstance,
  context: PagesContext,
  form: PostForm,
): void {
  app.post(
    form.path,
    {
      config: {
        ...{ access: "session", limit: "write" },
        ...PICTURES,
      },
      bodyLimit: DRAFT_BODY_LIMIT,
      onRequest: admitUploads(context),
    },
    (request, reply) => {
      const { parameters } = request;
      const draft = draftOf(Object.keys(POST_FIELDS.properties), parameters);
      const back = { to: form.path, draft };
      return receiveDraft(context, request, reply, back, (session, isExpired) =>
        receive(context, form, { request, reply, session }, isExpired),
      );
    },
  );
}

async function receive(
  context: PagesContext,
  { show, take, faultOf }: PostForm,
  call: FormCall,
  isExpired: boolean,
): Promise<FastifyReply> {
  const { user } = call.session;
  const { parameters } = call.request;
  const typed = readDraft(parameters);
  if (isExpired)
    return show(call, { ...typed, fault: pageTexts.write.expired }, 403);
  const draft = await uploadPhotos(context, user, typed, call.request);
  if (draft.fault !== undefined)
    return show(call, draft, refusedStatus(call.request));
  try {
    return await take(
      call,
      draft,
      draft.photoIds.length > typed.photoIds.length,
    );
  } catch (error) {
    const left = await withoutGonePictures(context, user, error, draft);
    if (left) return show(call, left, 422);
    const fault = faultOf
      ? faultOf(error, draft, call)
      : faultOfPost(context, error, draft);
    if (fault === undefined) throw error;
    return show(call, { ...draft, ...fault }, 422);
  }
}
