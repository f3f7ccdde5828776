import { listed, named, ofPost, silent, type Entry } from "./privacy-probes.ts";

/** The posts that people keep. In the tested world, everybody has bookmarked everything. */
export const KEEPING_ENTRIES: Readonly<Record<string, Entry>> = {
  "PUT /api/v0/posts/:id/bookmark": [named("post", "/posts", "/bookmark")],
  "POST /api/v0/posts/:id/bookmark": [named("post", "/posts", "/bookmark")],
  "DELETE /api/v0/posts/:id/bookmark": [ofPost("/bookmark")],
  ...Object.fromEntries(
    [
      "POST /posts/:guid/comments",
      "POST /posts/:guid/like",
      "POST /posts/:guid/unlike",
      "POST /posts/:guid/reshare",
      "POST /comments/:guid/like",
      "POST /comments/:guid/unlike",
    ].map((route) => [
      route,
      silent("It needs the token of a form: test/e2e/pages-answers.test.ts"),
    ]),
  ),
  ...Object.fromEntries(
    [
      "POST /contacts/aspects/create",
      "POST /contacts/aspects/rename",
      "POST /contacts/aspects/delete",
      "POST /people/:guid/follow",
      "POST /people/:guid/unfollow",
      "POST /people/:guid/add",
      "POST /people/:guid/remove",
    ].map((route) => [
      route,
      silent("It needs the token of a form: test/e2e/pages-contacts.test.ts"),
    ]),
  ),
  "GET /contacts": silent(
    "It shows people, and one's own aspects alone: test/e2e/pages-contacts.test.ts",
  ),
  "GET /contacts/find": silent(
    "It shows people alone: test/e2e/pages-contacts.test.ts",
  ),
  "GET /api/v0/changes": silent(
    "It never ends; privacy-changes.test.ts reads it for each audience",
  ),
  "GET /api/v0/bookmarks": [
    listed(["post"], "token", () => ["/api/v0/bookmarks?limit=100"]),
  ],
};
