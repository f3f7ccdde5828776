export { keepValues } from "./kept-values.ts";
export type { Touched } from "./touched.ts";
export { createWriteWatch, type WriteWatch } from "./write-watch.ts";
