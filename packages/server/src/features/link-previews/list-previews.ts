import type { Db } from "../../db/db.ts";
import { htmlToText } from "../../lib/html/html-cleaner.ts";
import { plainLine } from "../../lib/lines.ts";
import { renderMarkdown } from "../../lib/markdown/markdown.ts";
import type { PostId } from "../ids.ts";
import { displayName, type People, type Person } from "../people/index.ts";
import type { Post, Posts } from "../posts/index.ts";
import type { Viewer } from "../visibility/index.ts";
import { guidOfPost, type LinkPreview } from "./link-preview.ts";
import { listLinks } from "./link-preview-queries.ts";

export type ListPreviewsDeps = {
  readonly db: Db;
  readonly posts: Pick<Posts, "listWelcome">;
  readonly people: Pick<People, "listById">;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Where readers load the picture of another server. */
  readonly proxyUrlOf: (url: string) => string;
  readonly areEnabled: boolean;
};

const SHOWN_OF_POST = 200;

/** The previews of posts that the caller has found visible. */
export async function listPreviews(
  deps: ListPreviewsDeps,
  postIds: readonly PostId[],
  viewer: Viewer,
): Promise<Map<PostId, LinkPreview>> {
  const { db, baseUrl, proxyUrlOf, areEnabled } = deps;
  if (!areEnabled) return new Map();
  const links = await listLinks(db.read, postIds);
  const guids = links.flatMap(({ url }) => guidOfPost(url, baseUrl) ?? []);
  const here = await previewPosts(deps, guids, viewer);
  const previews = new Map<PostId, LinkPreview>();
  for (const { post_id: postId, url, title, ...row } of links) {
    const own = here.get(guidOfPost(url, baseUrl) ?? "");
    if (own) previews.set(postId, { url, ...own });
    if (title === null) continue;
    previews.set(postId, {
      url,
      title,
      description: row.description,
      siteName: row.site_name,
      authorName: row.author_name,
      imageUrl: row.image_url === null ? null : proxyUrlOf(row.image_url),
    });
  }
  return previews;
}

/** Linked posts of this server, as far as the viewer may see them. */
async function previewPosts(
  { posts, people, baseUrl }: ListPreviewsDeps,
  guids: readonly string[],
  viewer: Viewer,
): Promise<Map<string, Omit<LinkPreview, "url">>> {
  if (guids.length === 0) return new Map();
  const found = await posts.listWelcome(guids, viewer);
  const authors = await people.listById(
    [...found.values()].map(({ personId }) => personId),
  );
  const siteName = new URL(baseUrl).host;
  return new Map(
    [...found].flatMap(([guid, post]) => {
      const author = authors.get(post.personId);
      if (!author) return [];
      return [[guid, { ...previewPost(post, author), siteName }] as const];
    }),
  );
}

/** A post with a warning shows the warning alone. */
function previewPost(
  { text, warning, nsfw }: Post,
  author: Person,
): Omit<LinkPreview, "url" | "siteName"> {
  const isShielded = nsfw || warning !== null || author.profile.nsfw;
  const shown = isShielded ? (warning ?? "") : plainTextOf(text);
  return {
    title: displayName(author),
    description: plainLine(shown, SHOWN_OF_POST) || null,
    authorName: null,
    imageUrl: null,
  };
}

function plainTextOf(text: string): string {
  return htmlToText(
    renderMarkdown(text.slice(0, 8 * SHOWN_OF_POST), {
      mention: () => undefined,
      tagHref: () => "",
    }),
  );
}
