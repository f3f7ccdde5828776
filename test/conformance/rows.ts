import { recordRows } from "./rows-records.ts";
import type { Rows } from "./stage.ts";

/** The test of each row, by the row's name. */
export const ROWS: Rows = { ...recordRows };
