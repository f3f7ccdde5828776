export type * from "../db/schema/ids.ts";
