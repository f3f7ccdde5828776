import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { UploadedFile } from "../../http/input/multipart.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { sendPage } from "../kit/send-page.ts";
import { pageTexts } from "../languages/texts.ts";
import { admitUploads } from "../session/admit-uploads.ts";
import {
  DRAFT_BODY_LIMIT,
  signInPath,
  type FormDraft,
} from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { receiveDraft } from "../sign-in/receive-draft.ts";
import {
  changesOf,
  draftOfProfile,
  readProfileDraft,
} from "./profile-draft.ts";
import {
  HEADER_FIELD,
  PICTURE_FIELD,
  PROFILE_SETTINGS,
  profileView,
  removalOf,
  type SaidOfProfile,
} from "./profile-view.ts";
import { faultsOfProfile, type ProfileFaults } from "./profile-faults.ts";

const texts = pageTexts.profileForm;

/** The user's own profile. */
export function profileRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    PROFILE_SETTINGS,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendProfile(context, reply, session, undefined, {});
    },
  );
  app.post(
    PROFILE_SETTINGS,
    {
      config: {
        access: "session",
        limit: "costly",
        file: PICTURE_FIELD,
        otherFiles: [HEADER_FIELD],
        keepsTexts: true,
      },
      bodyLimit: DRAFT_BODY_LIMIT,
      onRequest: admitUploads(context),
    },
    (request, reply) => receiveProfile(context, request, reply),
  );
}

/** After a sign-in the form is shown again, and not submitted by itself. */
export function resumeProfile(
  context: PagesContext,
  _request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  kept: FormDraft,
): Promise<FastifyReply> {
  const fault = texts.signedOut;
  return sendProfile(context, reply, session, kept, { fault });
}

function receiveProfile(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { parameters } = request;
  const draft = readProfileDraft(parameters);
  const back = { to: PROFILE_SETTINGS, draft };
  const take = async (session: Session, isExpired: boolean) => {
    const again = (fault: string, status: number, faults?: ProfileFaults) =>
      sendProfile(
        ...([context, reply, session, draft] as const),
        { fault, ...(faults && { faults }) },
        status,
      );
    if (isExpired) return again(texts.expired, 403);
    if (request.isTooLarge) return again(texts.pictureRefused, 413);
    try {
      await save(context, session, draft, parameters);
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined) throw error;
      const isOfText = fault === texts.refused;
      const faults = faultsOfProfile(draft, context.clock.now());
      return again(fault, 422, isOfText ? faults : undefined);
    }
    const saved = { notice: texts.saved };
    return sendProfile(context, reply, session, undefined, saved);
  };
  return receiveDraft(context, request, reply, back, take);
}

async function save(
  { people, photos }: PagesContext,
  { user }: Session,
  draft: FormDraft,
  parameters: Parameters,
): Promise<void> {
  const changes = changesOf(draft);
  const bytesOf = (name: string) => {
    const file = parameters[name];
    return file instanceof UploadedFile ? file.bytes : undefined;
  };
  const [avatar, header] = [bytesOf(PICTURE_FIELD), bytesOf(HEADER_FIELD)];
  if (avatar ?? header)
    await photos.changeProfile(user.personId, changes, {
      ...(avatar && { avatar }),
      ...(header && { header }),
    });
  else await people.changeProfile(user.personId, changes);
  // A new picture takes the place of the one that was to be removed.
  const isRemoved = (field: string) => parameters[removalOf(field)] === "true";
  if (isRemoved(PICTURE_FIELD) && !avatar)
    await photos.removeProfile(user.personId, "avatar");
  if (isRemoved(HEADER_FIELD) && !header)
    await photos.removeProfile(user.personId, "header");
}

/** @param draft undefined for the profile as it is */
async function sendProfile(
  { people }: PagesContext,
  reply: FastifyReply,
  session: Session,
  draft: FormDraft | undefined,
  said: SaidOfProfile,
  status = 200,
): Promise<FastifyReply> {
  const person = await people.find({ id: session.user.personId });
  if (!person) throw new KithError("not_found", "No such person.");
  const shown = draft ?? draftOfProfile(person.profile);
  return sendPage(reply, {
    status,
    head: { title: texts.title, noindex: true },
    session,
    main: profileView(session, person, shown, said),
  });
}

/** A fault that the user can correct. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof KithError)) return undefined;
  if (["too_large", "unsupported_media_type"].includes(error.code))
    return texts.pictureRefused;
  return error.code === "bad_request" ? texts.refused : undefined;
}
