import type { Db } from "../../db/db.ts";
import type { Author } from "../posts/index.ts";
import {
  listActive,
  listNewest,
  listReshared,
  type DirectoryPage,
} from "./directory-queries.ts";

export type DirectoryOrder = "active" | "new";

/** People to find: all who want to be found, and those who are likely of interest. */
export type Directory = ReturnType<typeof createDirectory>;

export function createDirectory({ db }: { readonly db: Db }) {
  return {
    /** Lists the people who want to be found. @param isLocal those of this server alone */
    list: (
      user: Author,
      order: DirectoryOrder,
      isLocal: boolean,
      page: DirectoryPage,
    ) =>
      order === "new"
        ? listNewest(db.read, user, isLocal, page)
        : listActive(db.read, user, isLocal, page),
    /**
     * Suggests people to follow: authors whose public posts were reshared by people whom the
     * user follows. Whom somebody follows is nobody else's business, and two accounts of one
     * person could find it out from suggestions that were made of it.
     */
    suggest: (user: Author, limit: number) =>
      listReshared(db.read, user, limit),
  };
}
