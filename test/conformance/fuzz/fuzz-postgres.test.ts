import { fuzzOn } from "./fuzz.ts";

fuzzOn("postgres");
