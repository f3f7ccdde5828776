import type { Db } from "../../db/db.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { Author } from "../posts/index.ts";
import {
  listActive,
  listNewest,
  listNewestLocal,
  listReshared,
  type DirectoryPage,
} from "./directory-queries.ts";

export type DirectoryOrder = "active" | "new";

/** People to find: all who want to be found, and those who are likely of interest. */
export type Directory = ReturnType<typeof createDirectory>;

export function createDirectory({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}) {
  return {
    /** Lists the people who want to be found. @param isLocal those of this server alone */
    list: (
      user: Author,
      order: DirectoryOrder,
      isLocal: boolean,
      page: DirectoryPage,
    ) =>
      order === "active"
        ? listActive(db.read, user, isLocal, page)
        : isLocal
          ? listNewestLocal(db.read, user, page)
          : listNewest(db.read, user, page),
    /**
     * Suggests people to follow: authors whose public posts were reshared lately by people whom
     * the user follows. Whom somebody follows is nobody else's business, and two accounts of one
     * person could find it out from suggestions that were made of it.
     */
    suggest: (user: Author, limit: number) =>
      listReshared(db.read, user, limit, clock.now()),
  };
}
