import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "../../lib/json-schema.ts";
import type { Session } from "../../features/accounts/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { parseDiasporaLink } from "../../lib/markdown/markdown-rules.ts";
import { isFromElsewhere } from "../session/same-site.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";

const LINK = Type.Object({ q: text("A `diaspora://` link") });

/** The page for a `diaspora://` link (protocol section 15.4). */
export function linkPath(link: {
  handle: string;
  type: string;
  guid: string;
}): string {
  const { handle, type, guid } = link;
  const q = `diaspora://${handle}/${type}/${guid}`;
  return `/link?q=${encodeURIComponent(q)}`;
}

/**
 * Redirects from a `diaspora://` link to the page of its object. The network is
 * asked only for a signed-in user, and never from another site.
 */
export function linkRoutes(app: FastifyInstance, context: PagesContext): void {
  app.get(
    "/link",
    { config: { access: "viewer", limit: "costly" } },
    async (request, reply) => {
      void reply.header("vary", "Cookie");
      const { q = "" } = readInput(LINK, request.parameters);
      const session = await findVisitor(context, request);
      const path = await findPath(context, request, q, session);
      if (path === undefined)
        throw new KithError("not_found", "Not to be had.");
      return redirectTo(reply, path);
    },
  );
}

async function findPath(
  context: PagesContext,
  request: FastifyRequest,
  q: string,
  session: Session | undefined,
): Promise<string | undefined> {
  const link = parseDiasporaLink(q);
  if (!link) return undefined;
  const { handle, guid } = link;
  const mayAsk = session && !isFromElsewhere(request.headers, context.baseUrl);
  if (guid === undefined) {
    const person = await findPerson(context, handle, mayAsk && session);
    return person && `/people/${person.guid}`;
  }
  if (link.type !== "post") return undefined;
  if (!(await isShown(context, handle, guid, session)) && mayAsk)
    await context.fetchLinked?.({ author: handle, guid }, session.user.userId);
  return (await isShown(context, handle, guid, session))
    ? `/posts/${guid}`
    : undefined;
}

async function findPerson(
  { people, discover }: PagesContext,
  handle: string,
  session: Session | undefined | false,
) {
  const known = await people.find({ handle });
  const person =
    known ??
    (session ? await discover(handle, session.user.userId) : undefined);
  return person?.state === "active" ? person : undefined;
}

/** Is the object stored, by this author, and visible to the visitor? */
async function isShown(
  { posts, people }: PagesContext,
  handle: string,
  guid: string,
  session: Session | undefined,
): Promise<boolean> {
  const post = await posts.findVisible({ guid }, session?.user ?? null);
  const author = post && (await people.find({ id: post.personId }));
  return author?.handle === handle;
}
