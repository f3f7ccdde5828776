import { watchFetch } from "./answer-watch.ts";

// Loaded into every test process before its test: scripts/test.ts sees to it.
globalThis.fetch = watchFetch(globalThis.fetch);
