import { fuzzOn } from "./fuzz.ts";

fuzzOn("sqlite");
