// The rules for who may see and who wants to see a thing: every list, page and delivery
// uses them.
export type { Viewer } from "./viewer.ts";
export {
  hasBlocked,
  hasBlockedOrIgnored,
  hasUserBlocked,
  isNotBlockedByAuthor,
  isNotBlockedOrIgnored,
  isNotBlockedOrIgnoredAmongMany,
  listBlockedAmong,
  listBlockersAmong,
} from "./blocks.ts";
export {
  isNotSilencedFor,
  isNotSuspended,
  isNotSuspendedAmongMany,
  isSuspended,
  mayNotify,
  mayShowPicturesOf,
  silencedAuthorIds,
} from "./suspensions.ts";
export { hiddenAuthorIds } from "./hidden-authors.ts";
export {
  isPostHiddenBy,
  isPostVisibleAmongMany,
  isPostVisibleTo,
  POST_AUTHORS,
} from "./post-visibility.ts";
export {
  isEventNotBlockedOrIgnored,
  isEventVisibleTo,
} from "./event-visibility.ts";
export { isPhotoVisibleTo } from "./photo-visibility.ts";
export { areShownTo } from "./person-visibility.ts";
