import { loadJsonLd } from "../src/linked-data/json-ld.ts";

/** JSON-LD in the thread of the test. */
export const jsonLd = await loadJsonLd();
