import { setImmediate } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { EventVersion } from "../../features/events/index.ts";
import type { Page } from "../../features/page.ts";
import type { TextPlace, TextVersion } from "../../features/texts/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { eventPath } from "../events/event-parts.ts";
import { eventTimeView } from "../events/event-time.ts";
import { html, type Html } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { timeView } from "../kit/time-view.ts";
import { detailTexts as texts, eventTexts } from "../languages/texts.ts";
import { postPath } from "../posts/act-view.ts";
import {
  findMentioned,
  renderPostText,
  type Mentioned,
} from "../posts/post-text.ts";
import { findVisitor, type PagesContext } from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";

const LIST = { path: "", size: 10, order: "newest first" } as const;

type OfGuid = { Params: { guid: string } };

type ShownVersion = { readonly id: number; readonly view: Html };

/** The versions of a thing that was found to be visible, and the page that shows the thing. */
type Versions = {
  readonly path: string;
  readonly list: (page: Page) => Promise<readonly ShownVersion[]>;
};

type FindVersions = (viewer: Viewer, guid: string) => Promise<Versions>;

/** Former versions of posts, comments and events, for the viewers of the current ones. */
export function historyPageRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const kinds: readonly (readonly [string, FindVersions])[] = [
    [
      "posts",
      async (viewer, guid) => {
        const post = await context.posts.findVisible({ guid }, viewer);
        if (!post) throw notFound();
        const place = { postId: post.id, commentId: null };
        return {
          path: postPath(post.guid),
          list: (page) => listTexts(context, place, page),
        };
      },
    ],
    [
      "comments",
      async (viewer, guid) => {
        const comment = await context.comments.findVisible({ guid }, viewer);
        if (!comment) throw notFound();
        const place = { postId: comment.postId, commentId: comment.id };
        return {
          path: `/comments/${encodeURIComponent(comment.guid)}`,
          list: (page) => listTexts(context, place, page),
        };
      },
    ],
    [
      "events",
      async (viewer, guid) => {
        const event = await context.events.findVisible({ guid }, viewer);
        if (!event) throw notFound();
        return {
          path: eventPath(event.guid),
          list: (page) => listEvents(context, event.id, page),
        };
      },
    ],
  ];
  for (const [kind, find] of kinds)
    app.get<OfGuid>(
      `/${kind}/:guid/history`,
      { config: { access: "viewer", limit: "read" } },
      async (request, reply) => {
        const { guid } = request.params;
        if (!isGuid(guid)) throw notFound();
        const session = await findVisitor(context, request);
        const versions = await find(session?.user ?? null, guid);
        if (!session)
          return askToSignIn(context, request, reply, { to: request.url });
        return sendVersions(request, reply, session, versions);
      },
    );
}

async function sendVersions(
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  { path, list }: Versions,
): Promise<FastifyReply> {
  const part = await readKeyedPart(request, LIST, list);
  const words = texts.history;
  return sendPage(reply, {
    head: { title: words.title, noindex: true },
    session,
    main: html`<h1>${words.title}</h1>
      <p class="quiet">${words.about}</p>
      ${
        part.items.length === 0
          ? html`<p>${words.none}</p>`
          : part.items.map(({ view }) => view)
      }
      ${paginationView(part, { previous: words.newer, next: words.older })}
      <p><a href="${path}">${texts.back}</a></p>`,
  });
}

async function listTexts(
  context: PagesContext,
  place: TextPlace,
  page: Page,
): Promise<ShownVersion[]> {
  const versions = await context.texts.listVersions(place, page);
  const mentioned = await findMentioned(
    context,
    versions.map(({ text }) => text),
  );
  const views: ShownVersion[] = [];
  for (const version of versions) {
    const view = versionView(context, version, mentioned);
    views.push({ id: version.id, view });
    // Rendering a text may take long: let other requests run in between.
    await setImmediate();
  }
  return views;
}

function versionView(
  context: PagesContext,
  { text, warning, photos, writtenAt }: TextVersion,
  mentioned: Mentioned,
): Html {
  const words = texts.history;
  return html`<article class="post">
    <p class="quiet">
      ${words.writtenAt} ${timeView(writtenAt, context.clock.now())}
    </p>
    ${
      warning !== null &&
      html`<p><strong>${words.warning}</strong> <bdi>${warning}</bdi></p>`
    }
    ${
      text.trim() === ""
        ? html`<p class="quiet">${words.noText}</p>`
        : html`<div class="text" dir="auto">
            ${renderPostText(context, text, mentioned)}
          </div>`
    }
    ${
      photos.length > 0 &&
      html`<p class="quiet">${words.pictures(photos.length)}</p>
        <ul>
          ${photos
            .filter((photo) => photo.text.trim() !== "")
            .map((photo) => html`<li dir="auto">${photo.text}</li>`)}
        </ul>`
    }
  </article>`;
}

async function listEvents(
  context: PagesContext,
  id: Parameters<PagesContext["events"]["listVersions"]>[0],
  page: Page,
): Promise<ShownVersion[]> {
  const versions = await context.events.listVersions(id, page);
  const mentioned = await findMentioned(
    context,
    versions.map(({ description }) => description),
  );
  return versions.map((version) => ({
    id: version.id,
    view: eventVersionView(context, version, mentioned),
  }));
}

function eventVersionView(
  context: PagesContext,
  version: EventVersion,
  mentioned: Mentioned,
): Html {
  const { summary, location, description, writtenAt } = version;
  return html`<article class="post">
    <p class="quiet">
      ${texts.history.writtenAt} ${timeView(writtenAt, context.clock.now())}
    </p>
    <h2 dir="auto">${summary || eventTexts.untitled}</h2>
    ${eventTimeView(version, true)}
    ${
      location !== "" &&
      html`<p>
        <strong>${eventTexts.where}:</strong>
        <span dir="auto">${location}</span>
      </p>`
    }
    ${
      description.trim() !== "" &&
      html`<div class="text" dir="auto">
        ${renderPostText(context, description, mentioned)}
      </div>`
    }
  </article>`;
}

function notFound(): KithError {
  return new KithError("not_found", "No such thing.");
}
