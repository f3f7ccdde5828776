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
  isNotOnBlockedHost,
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
export { prepareVisibleCounts } from "./count-visible.ts";
export { createViewerDistances } from "./viewer-distance.ts";
export { appearsTo } from "./post-appearance.ts";
export {
  isEventNotBlockedOrIgnored,
  isEventVisibleTo,
  isInSharedCalendar,
} from "./event-visibility.ts";
export {
  hasCalendarShare,
  isCalendarSharedWith,
  type LocalViewer,
} from "./shared-calendars.ts";
export { isPhotoVisibleTo } from "./photo-visibility.ts";
export { listWilling, type WillingReader } from "./public-readers.ts";
export { areShownTo } from "./person-visibility.ts";
export {
  FILTER_ACTIONS,
  FILTER_CONTEXTS,
  type FilterAction,
  type FilterContext,
  type FilterKeyword,
  type FilterMatch,
  type WordFilter,
} from "./filters/word-filters.ts";
export { listFiltersOf } from "./filters/filter-queries.ts";
export {
  leaveOutHiddenComments,
  listHiding,
  matchComments,
  matchPosts,
  withoutHiddenComments,
  withoutHiddenPlaces,
  withoutHiddenPosts,
} from "./filters/filtered-posts.ts";
