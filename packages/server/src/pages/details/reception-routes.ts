import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { CommentId, PersonId, PostId } from "../../features/ids.ts";
import type { Page } from "../../features/page.ts";
import type { Post } from "../../features/posts/index.ts";
import type { Receipt } from "../../features/receipts/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { paginationView, tableView } from "../kit/list-view.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { dayTimeView } from "../kit/time-view.ts";
import { detailTexts as texts } from "../languages/texts.ts";
import { peopleView } from "../people/people-view.ts";
import { postPath } from "../posts/act-view.ts";
import { ownWords } from "../posts/audience-chip.ts";
import { reactingPeopleView } from "../posts/reactions-view.ts";
import { findVisitor, type PagesContext } from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";

const PAGE_SIZE = 50;
const LIST = { size: PAGE_SIZE, order: "newest first" } as const;

/** The people named who reacted with an emoji. */
const REACTING = { offset: 0, limit: 100 } as const;

/** The people named who see a limited post; more of them are counted. */
const MAX_NAMED = 100;

const SHOWN = Type.Object({
  list: text("Only the likes, or only the reshares: likes or reshares"),
});
const AFTER = Type.Object({
  after_server: text("The server after which the page begins"),
});

type OfGuid = { Params: { guid: string } };

/** A post or comment that was found to be visible. */
type Received = {
  readonly path: string;
  readonly target:
    | { readonly type: "Post"; readonly id: PostId }
    | { readonly type: "Comment"; readonly id: CommentId };
  /** Its reshares; undefined for a comment. */
  readonly listReshares?: (page: Page) => Promise<readonly Post[]>;
};

/** The people who liked or reshared something, and the servers that have a post. */
export function receptionRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { comments, posts } = context;
  const find = {
    posts: async (viewer: Viewer, guid: string): Promise<Received> => {
      const post = await posts.findVisible({ guid }, viewer);
      if (!post) throw notFound();
      return {
        path: postPath(post.guid),
        target: { type: "Post", id: post.id },
        listReshares: (page) => posts.listReshares(post.guid, viewer, page),
      };
    },
    comments: async (viewer: Viewer, guid: string): Promise<Received> => {
      const comment = await comments.findVisible({ guid }, viewer);
      if (!comment) throw notFound();
      return {
        path: `/comments/${encodeURIComponent(comment.guid)}`,
        target: { type: "Comment", id: comment.id },
      };
    },
  };
  const config = { access: "viewer", limit: "read" } as const;
  for (const kind of ["posts", "comments"] as const)
    app.get<OfGuid>(
      `/${kind}/:guid/likes`,
      { config },
      async (request, reply) => {
        const guid = readGuid(request);
        const session = await findVisitor(context, request);
        const received = await find[kind](session?.user ?? null, guid);
        if (!session)
          return askToSignIn(context, request, reply, { to: request.url });
        return sendReception(context, request, reply, session, received);
      },
    );
  app.get<OfGuid>(
    "/posts/:guid/deliveries",
    { config },
    async (request, reply) => {
      const guid = readGuid(request);
      const session = await findVisitor(context, request);
      const viewer = session?.user ?? null;
      const post = await posts.findVisible({ guid }, viewer);
      if (!post) throw notFound();
      if (!session)
        return askToSignIn(context, request, reply, { to: request.url });
      if (post.personId !== session.user.personId) throw notFound();
      return sendDeliveries(context, request, reply, session, post);
    },
  );
}

async function sendReception(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  { path, target, listReshares }: Received,
): Promise<FastifyReply> {
  const { user } = session;
  const { list } = readInput(SHOWN, request.parameters);
  const listOf = (name: string) => ({ ...LIST, path: `?list=${name}` });
  const key =
    target.type === "Post"
      ? { post: { id: target.id } }
      : { comment: { id: target.id } };
  const [likes, reshares, reactions] = await Promise.all([
    list === "reshares"
      ? undefined
      : readKeyedPart(request, listOf("likes"), (page) =>
          context.likes.list(key, user, page),
        ),
    listReshares && list !== "likes"
      ? readKeyedPart(request, listOf("reshares"), listReshares)
      : undefined,
    list === undefined ? context.reactions.listTo(target, user, REACTING) : [],
  ]);
  const people = await context.people.listById(
    [...(likes?.items ?? []), ...(reshares?.items ?? []), ...reactions].map(
      ({ personId }) => personId,
    ),
  );
  const named = (acts: readonly { readonly personId: PersonId }[]) =>
    acts.flatMap(({ personId }) => people.get(personId) ?? []);
  const liking = (isPositive: boolean) =>
    named(
      (likes?.items ?? []).filter(({ positive }) => positive === isPositive),
    );
  const words = texts.reception;
  const dislikes = liking(false);
  const onward = { previous: words.fewer, next: words.more };
  return sendPage(reply, {
    head: { title: words.title, noindex: true },
    session,
    main: html`<h1>${words.title}</h1>
      ${
        likes &&
        section(
          "likes",
          words.likes,
          html`${peopleView(liking(true), words.noLikes)}
          ${
            dislikes.length > 0 &&
            html`<h3>${words.dislikes}</h3>
              ${peopleView(dislikes, "")}`
          }
          ${paginationView(likes, onward)}`,
        )
      }
      ${
        reshares &&
        section(
          "reshares",
          words.reshares,
          html`${peopleView(named(reshares.items), words.noReshares)}
          ${paginationView(reshares, onward)}`,
        )
      }
      ${reactingPeopleView(reactions, people)}
      <p><a href="${path}">${texts.back}</a></p>`,
  });
}

function section(id: string, title: string, content: HtmlValue): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}

/** The people who see a limited post, beside its author. */
async function seenByView(
  { people, posts }: PagesContext,
  post: Post,
): Promise<Html> {
  const words = texts.deliveries;
  const recipients = await posts.listRecipientsOf([post.id]);
  const ids = recipients.get(post.id) ?? [];
  const found = await people.listShown(ids.slice(0, MAX_NAMED));
  const more = ids.length - MAX_NAMED;
  const named = ids.flatMap((id) => found.get(id) ?? []);
  return section(
    "seen-by",
    words.seenBy,
    html`<p>${ownWords(post)}</p>
      ${!post.public && named.length > 0 && peopleView(named, "")}
      ${more > 0 && html`<p>${words.moreSee(more)}</p>`}`,
  );
}

async function sendDeliveries(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  post: Post,
): Promise<FastifyReply> {
  const words = texts.deliveries;
  const { id, guid } = post;
  const { after_server: afterKey } = readInput(AFTER, request.parameters);
  const found = await context.receipts.list(id, {
    ...{ offset: 0, limit: PAGE_SIZE + 1, afterKey },
  });
  const items = found.slice(0, PAGE_SIZE);
  const last = found.length > PAGE_SIZE ? items.at(-1) : undefined;
  const to = (key: string) => new URLSearchParams({ after_server: key });
  return sendPage(reply, {
    head: { title: words.title, noindex: true },
    session,
    main: html`<h1>${words.title}</h1>
      ${await seenByView(context, post)}
      <p class="quiet">${words.about}</p>
      ${
        items.length === 0
          ? html`<p>${words.none}</p>`
          : tableView(
              [words.server, words.state, words.time],
              items.map((receipt) => deliveryCells(receipt)),
            )
      }
      ${paginationView(
        {
          items,
          previous: afterKey ? `${postPath(guid)}/deliveries` : undefined,
          next: last && `?${to(last.key).toString()}`,
        },
        { previous: words.first, next: words.next },
      )}
      <p><a href="${postPath(guid)}">${texts.back}</a></p>`,
  });
}

function deliveryCells({
  host,
  state,
  deliveredAt,
  failedAt,
  nextAttemptAt,
}: Receipt): HtmlValue[] {
  const times = {
    delivered: deliveredAt,
    waiting: nextAttemptAt,
    failed: failedAt,
  };
  const at = times[state];
  return [
    html`<bdi>${host}</bdi>`,
    texts.deliveries.states[state],
    at !== null && dayTimeView(at),
  ];
}

/** @throws {KithError} `not_found`: other text is not passed to the database */
function readGuid({ params }: FastifyRequest<OfGuid>): string {
  if (!isGuid(params.guid)) throw notFound();
  return params.guid;
}

function notFound(): KithError {
  return new KithError("not_found", "No such thing.");
}
