import {
  isPostVisibleAmongMany,
  prepareVisibleCounts,
} from "../../visibility/index.ts";
import { isListedText } from "../../../db/prepared-query.ts";

/** Counts, by Guid, the reshares of each of these posts that the viewer finds in its list. */
export const countReshares = prepareVisibleCounts((reader, guids, viewer) =>
  reader
    .selectFrom("posts")
    .select(["root_guid as guid", (eb) => eb.fn.countAll<number>().as("count")])
    .where(isListedText(reader, "posts.root_guid", guids))
    .where(isPostVisibleAmongMany(viewer))
    .groupBy("root_guid"),
);
