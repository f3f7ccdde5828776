export { renderObjects, type RenderedObject } from "./render-objects.ts";
export { writeEvents, type WriteEventsDeps } from "./write-events.ts";
