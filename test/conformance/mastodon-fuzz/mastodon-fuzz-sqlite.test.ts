import { fuzzMastodonOn } from "./mastodon-fuzz.ts";

fuzzMastodonOn("sqlite");
