import {
  HTML,
  IN_LISTS,
  inLists,
  listed,
  SEARCHES,
  type Entry,
} from "./privacy-probes.ts";
import { TAG } from "./privacy-world.ts";

/** Lists of posts by tags, people and words. */
export const LIST_ENTRIES: Readonly<Record<string, Entry>> = {
  "GET /api/v0/search": SEARCHES,
  "GET /api/v0/users/streams/:id/posts": [
    listed(
      ["post"],
      "token",
      () => ["/api/v0/users/streams/STREAM/posts?limit=100"],
      IN_LISTS,
    ),
  ],
  "GET /api/v0/tags/posts": [
    listed(["post"], "token", () => ["/api/v0/tags/posts?limit=100"], IN_LISTS),
  ],
  "GET /api/v0/tags/:tag/posts": [
    listed(
      ["post"],
      "token",
      () => [`/api/v0/tags/${TAG}/posts?limit=100`],
      IN_LISTS,
    ),
  ],
  "GET /tags/:tag": [
    listed(["post"], "session", () => [`/tags/${TAG}`], {
      accept: HTML,
      only: inLists,
    }),
  ],
};
