import type { Page } from "../page.ts";
import type { People, Person } from "../people/index.ts";
import type { Author } from "../posts/index.ts";
import { searchPeople } from "./search-people.ts";
import {
  searchPosts,
  type Keys,
  type SearchPostsDeps,
} from "./search-posts.ts";
import { parseSearchQuery } from "./search-query.ts";
import { searchTags, type SearchTagsDeps } from "./search-tags.ts";

export { MAX_QUERY_LENGTH } from "./search-query.ts";
export type { Keys } from "./search-posts.ts";

type SearchDeps = SearchPostsDeps &
  SearchTagsDeps & { readonly people: Pick<People, "listById"> };

/** Posts, people and tags by words. */
export type Search = ReturnType<typeof createSearch>;

export function createSearch(deps: SearchDeps) {
  return {
    /**
     * Finds posts that the viewer wrote, received or took part in, and public posts of people
     * who allow it, newest first.
     * @throws {KithError} `bad_request` for an operator with a value that means nothing, or for
     * too much, `empty_string`
     */
    posts: (viewer: Author, text: string, keys: Keys, page: Page) =>
      searchPosts(deps, viewer, parseSearchQuery(text), keys, page),
    /** Finds people by the beginnings of the words in their names and handles. */
    people: async (
      viewer: Author,
      text: string,
      page: Page,
    ): Promise<Person[]> => {
      const ids = await searchPeople(deps.db.read, viewer, text, page);
      const people = await deps.people.listById(ids);
      return ids.flatMap((id) => people.get(id) ?? []);
    },
    /** Finds tags by their beginning. */
    tags: (viewer: Author, text: string, page: Page) =>
      searchTags(deps, viewer, text, page),
  };
}
