import { fuzzSocketsOn } from "./socket-fuzz.ts";
import { TESTED_DATABASE_KINDS } from "../../../packages/server/test/support/server/databases.ts";

for (const kind of TESTED_DATABASE_KINDS) fuzzSocketsOn(kind);
