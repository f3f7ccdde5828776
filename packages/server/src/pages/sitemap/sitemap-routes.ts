import type { FastifyInstance, FastifyReply } from "fastify";
import { idAt } from "../../features/time-id.ts";
import { KithError } from "../../lib/errors.ts";
import { escapeHtml } from "../../lib/html/html-cleaner.ts";
import { createLruCache } from "../../lib/caching/lru-cache.ts";
import type { PagesContext } from "../session/visitor.ts";

// The sitemap protocol (https://www.sitemaps.org/protocol.html): an index of files.

/** Of one file; the protocol allows 50,000. */
const MAX_URLS = 10_000;
/** Posts of earlier months are in none. */
const MAX_MONTHS = 60;
const KEEP_MS = 3_600_000;
/** Characters of the files that are kept. */
const MAX_KEPT = 8_000_000;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

const DISALLOWED = [
  ...["/api/", "/admin", "/invitations", "/users/", "/settings/", "/search"],
  ...["/write", "/stream", "/home", "/parts/", "/proxy/", "/oauth/", "/link"],
  ...["/authorize_interaction", "/interact"],
];

type Page = { readonly path: string; readonly updatedAt: string };

/**
 * Lists pages for search engines: of the people here who want to be found, and of the posts
 * by those who allow that they are found elsewhere. A file is written once an hour.
 */
export function sitemapRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { baseUrl, clock } = context;
  const config = { access: "anyone", limit: "costly", mayBeOld: true } as const;
  const kept = createLruCache<string, string>({
    ...{ max: MAX_KEPT, keepMs: KEEP_MS, clock },
    sizeOf: ({ length }) => length,
  });
  const send = async (
    reply: FastifyReply,
    name: string,
    write: () => Promise<string>,
  ) => {
    let text = kept.get(name);
    if (text === undefined) {
      text = await write();
      kept.set(name, text);
    }
    return reply
      .type("application/xml; charset=utf-8")
      .header("cache-control", "public, max-age=3600")
      .send(text);
  };
  app.get("/sitemap.xml", { config }, (_, reply) =>
    send(reply, "index", async () =>
      indexOf(baseUrl, await listFilledMonths(context)),
    ),
  );
  app.get("/sitemap/people.xml", { config }, (_, reply) =>
    send(reply, "people", async () =>
      urlsOf(baseUrl, await listPeople(context)),
    ),
  );
  app.get<{ Params: { month: string } }>(
    "/sitemap/posts/:month.xml",
    { config },
    async (request, reply) => {
      const { month } = request.params;
      // No other name is kept.
      const isKnown =
        MONTH.test(month) && (await listMonths(context)).includes(month);
      if (!isKnown) throw new KithError("not_found", "No such sitemap.");
      return send(reply, month, async () =>
        urlsOf(baseUrl, await listPosts(context, month)),
      );
    },
  );
  app.get(
    "/robots.txt",
    { config: { access: "anyone", limit: "read" } },
    async (_, reply) =>
      reply
        .type("text/plain; charset=utf-8")
        .header("cache-control", "public, max-age=86400")
        .send(robotsOf(baseUrl)),
  );
}

function robotsOf(baseUrl: string): string {
  return [
    "User-agent: *",
    ...DISALLOWED.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${baseUrl}/sitemap.xml`,
    "",
  ].join("\n");
}

/** The months with people here, newest first, as `YYYY-MM`. */
async function listMonths({ people, clock }: PagesContext): Promise<string[]> {
  const first = await people.findFirstTime();
  const last = monthOf(clock.now());
  let month = first === undefined ? last : monthOf(new Date(first));
  const months: string[] = [];
  for (; month.toString() <= last.toString(); month = month.add({ months: 1 }))
    months.push(month.toString());
  return months.toReversed().slice(0, MAX_MONTHS);
}

/** A file of the protocol names one page at least. */
async function listFilledMonths(context: PagesContext): Promise<string[]> {
  const filled: string[] = [];
  for (const month of await listMonths(context))
    if (await context.posts.hasIndexed(keysOf(month))) filled.push(month);
  return filled;
}

function monthOf(date: Date): Temporal.PlainYearMonth {
  return Temporal.PlainYearMonth.from(date.toISOString().slice(0, 7));
}

async function listPeople({ people }: PagesContext): Promise<Page[]> {
  const found = await people.listIndexed(MAX_URLS);
  return found.map(({ handle, updatedAt }) => ({
    ...{ path: `/u/${handle.split("@", 1)[0]}`, updatedAt },
  }));
}

async function listPosts(
  { posts }: PagesContext,
  month: string,
): Promise<Page[]> {
  const found = await posts.listIndexed({ ...keysOf(month), limit: MAX_URLS });
  return found.map(({ guid, updatedAt }) => ({
    ...{ path: `/posts/${guid}`, updatedAt },
  }));
}

/** The keys between which the posts of a month are. */
function keysOf(month: string): { after: number; before: number } {
  const start = (it: Temporal.PlainYearMonth) =>
    new Date(`${it.toString()}-01`);
  const from = Temporal.PlainYearMonth.from(month);
  return {
    after: idAt(start(from)) - 1,
    before: idAt(start(from.add({ months: 1 }))),
  };
}

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

function indexOf(baseUrl: string, months: readonly string[]): string {
  const names = ["people", ...months.map((month) => `posts/${month}`)];
  return xmlOf(
    "sitemapindex",
    names.map(
      (name) =>
        `<sitemap><loc>${escapeHtml(`${baseUrl}/sitemap/${name}.xml`)}</loc></sitemap>`,
    ),
  );
}

function urlsOf(baseUrl: string, pages: readonly Page[]): string {
  return xmlOf(
    "urlset",
    pages.map(
      ({ path, updatedAt }) =>
        `<url><loc>${escapeHtml(baseUrl + path)}</loc><lastmod>${updatedAt}</lastmod></url>`,
    ),
  );
}

function xmlOf(element: string, lines: readonly string[]): string {
  const head = `<?xml version="1.0" encoding="utf-8"?>\n<${element} xmlns="${NAMESPACE}">\n`;
  return `${head}${lines.join("\n")}\n</${element}>\n`;
}
