/** The numbers that are recorded by hour, day and month, see `features/statistics`. */
export const STATISTICS = [
  "people",
  "posts",
  "comments",
  "messages",
  "refused_messages",
  "delivered",
  "failed",
  "waiting_jobs",
  "database_bytes",
  "upload_bytes",
  "remote_media_bytes",
  "reports",
  "decisions",
] as const;

export type StatisticName = (typeof STATISTICS)[number];
