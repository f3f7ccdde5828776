import { walkOver } from "./walk/walk.ts";

walkOver("activitypub");
