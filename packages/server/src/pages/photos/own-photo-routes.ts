import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { kindOfPhoto, type Photo } from "../../features/photos/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf, csrfField } from "../kit/csrf.ts";
import { actForm, alertView, textAreaField } from "../kit/form-fields.ts";
import { html, webAddress, type Html, type HtmlValue } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { photoTexts as texts } from "../languages/texts.ts";
import { recordingView, stillOf } from "../posts/attached/photos-view.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";

export const PHOTOS = "/photos";
const PAGE_SIZE = 12;

const DESCRIPTION = Type.Object({ text: text("What the picture shows") });

type OfGuid = { Params: { guid: string } };

/** The user's own pictures, their descriptions, and their end. */
export function ownPhotoRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { photos } = context;
  app.get(
    PHOTOS,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendPhotos(context, request, reply, session);
    },
  );
  app.get<OfGuid>(
    `${PHOTOS}/:guid`,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) throw new KithError("not_found", "No such photo.");
      const photo = await getOwn(context, session, request.params.guid);
      return sendPhoto(context, reply, session, photo, { text: photo.text });
    },
  );
  const config = { access: "session", limit: "write" } as const;
  app.post<OfGuid>(`${PHOTOS}/:guid`, { config }, async (request, reply) => {
    const { guid } = request.params;
    const session = await findVisitor(context, request);
    const to = photoPath(guid);
    if (!session) return askToSignIn(context, request, reply, { to });
    checkCsrf(session, request.parameters);
    const photo = await getOwn(context, session, guid);
    const { text: typed = "" } = readInput(DESCRIPTION, request.parameters);
    try {
      await photos.describe(session.user, { guid }, { text: typed });
    } catch (error) {
      if (!(error instanceof KithError) || error.code !== "bad_request")
        throw error;
      const draft = { text: typed, fault: texts.tooLong };
      return sendPhoto(context, reply, session, photo, draft, 422);
    }
    return redirectTo(reply, PHOTOS);
  });
  app.post<OfGuid>(
    `${PHOTOS}/:guid/delete`,
    { config },
    async (request, reply) => {
      const { guid } = request.params;
      const session = await findVisitor(context, request);
      if (!session) return askToSignIn(context, request, reply, { to: PHOTOS });
      checkCsrf(session, request.parameters);
      const photo = await getOwn(context, session, guid);
      try {
        await photos.remove(session.user, { guid });
      } catch (error) {
        if (!(error instanceof KithError) || error.code !== "empty_string")
          throw error;
        const draft = { text: photo.text, fault: texts.onlyContent };
        return sendPhoto(context, reply, session, photo, draft, 422);
      }
      return redirectTo(reply, PHOTOS);
    },
  );
}

function photoPath(guid: string): string {
  return `${PHOTOS}/${encodeURIComponent(guid)}`;
}

/** @throws {KithError} `not_found`, also for a picture of another person */
async function getOwn(
  { photos }: PagesContext,
  { user }: Session,
  guid: string,
): Promise<Photo> {
  const photo = isGuid(guid)
    ? await photos.findVisible({ guid }, user)
    : undefined;
  if (photo?.personId !== user.personId)
    throw new KithError("not_found", "No such photo.");
  return photo;
}

async function sendPhotos(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const { photos } = context;
  const { user } = session;
  const list = {
    path: PHOTOS,
    size: PAGE_SIZE,
    order: "newest first",
  } as const;
  const part = await readKeyedPart(request, list, (page) =>
    photos.listBy(user.personId, user, page),
  );
  return sendPage(reply, {
    head: { title: texts.title, noindex: true },
    session,
    main: html`<h1>${texts.title}</h1>
      <p class="quiet">${texts.allAbout}</p>
      ${
        part.items.length === 0
          ? html`<p>${texts.none} <a href="/write">${texts.write}</a></p>`
          : html`<ul class="pictures">
              ${part.items.map((photo) => itemView(photo, stillOf(context, photo)))}
            </ul>`
      }
      ${paginationView(part)}`,
  });
}

function itemView(photo: Photo, src: string): Html {
  const { guid, text: described } = photo;
  const name = described.trim() === "" ? texts.undescribed : described;
  return html`<li>
    <a href="${photoPath(guid)}">${pictureView(photo, src, name)}</a>
    <p dir="auto" ${described.trim() === "" && html`class="quiet"`}>${name}</p>
  </li>`;
}

function pictureView(
  { width, height }: Photo,
  address: string,
  alt: string,
): HtmlValue {
  const src = webAddress(address);
  return (
    src !== undefined &&
    html`<img
      src="${src}"
      alt="${alt}"
      ${width > 0 && height > 0 && html`width="${width}" height="${height}"`}
      loading="lazy"
    />`
  );
}

async function sendPhoto(
  context: PagesContext,
  reply: FastifyReply,
  session: Session,
  photo: Photo,
  draft: { readonly text: string; readonly fault?: string },
  status = 200,
): Promise<FastifyReply> {
  const { photos } = context;
  const { guid } = photo;
  const place = await findPlace(context, session, photo);
  const shown =
    kindOfPhoto(photo) === "picture"
      ? pictureView(
          photo,
          photos.shownUrlOf(photo, "scaled_full"),
          photo.text || texts.undescribed,
        )
      : recordingView(photo, photos.shownUrlOf(photo));
  return sendPage(reply, {
    status,
    head: { title: texts.one, noindex: true },
    session,
    main: html`<h1>${texts.one}</h1>
      <p class="picture">${shown}</p>
      ${place && html`<p><a href="${place.path}">${place.words}</a></p>`}
      ${alertView(draft.fault === undefined ? [] : [draft.fault])}
      ${place?.isMessage !== true && describeForm(session, photo, draft)}
      <details>
        <summary>${texts.delete}</summary>
        <p>${place ? texts.deleteSent : texts.deleteAbout}</p>
        ${actForm(session, `${photoPath(guid)}/delete`, undefined, texts.delete)}
      </details>
      <p><a href="${PHOTOS}">${texts.back}</a></p>`,
  });
}

/** The post, comment or message to which a picture belongs, and the way there. */
async function findPlace(
  { comments, posts }: PagesContext,
  { user }: Session,
  { postId, commentId }: Photo,
): Promise<
  | {
      readonly path: string;
      readonly words: string;
      readonly isMessage: boolean;
    }
  | undefined
> {
  if (postId === null) return undefined;
  const post = await posts.findVisible({ id: postId }, user);
  if (!post) return undefined;
  const guid = encodeURIComponent(post.guid);
  if (post.participants !== null)
    return {
      path: `/messages/${guid}`,
      words: texts.toMessage,
      isMessage: true,
    };
  const comment =
    commentId === null ? undefined : await comments.find({ id: commentId });
  if (!comment)
    return { path: `/posts/${guid}`, words: texts.toPost, isMessage: false };
  const path = `/comments/${encodeURIComponent(comment.guid)}`;
  return { path, words: texts.toComment, isMessage: false };
}

function describeForm(
  session: Session,
  { guid }: Photo,
  draft: { readonly text: string; readonly fault?: string },
): Html {
  return html`<form method="post" action="${photoPath(guid)}" class="stacked">
    ${csrfField(session)}
    ${textAreaField("text", draft.text, {
      ...{ label: texts.description, hint: texts.hint, rows: 3 },
      isFaulty: draft.fault !== undefined,
    })}
    <p class="actions"><button>${texts.save}</button></p>
  </form>`;
}
