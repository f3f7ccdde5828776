/** RFC 3339 in UTC with milliseconds. */
type Time = string;

export type RemoteEventsTable = {
  event_id: number;
  answered_by: string;
  /** Actor ids of those who may let people in, as JSON. */
  organizers: string;
};

export type PeersTable = {
  origin: string;
  software: string | null;
  learned_at: Time | null;
  signature_form: string | null;
  signature_form_at: Time | null;
};

export type ForwardedActivitiesTable = {
  /** SHA-256 of the activity's id, in hex. */
  digest: string;
  forwarded_at: Time;
};

export type GoneInboxesTable = {
  url: string;
  host: string;
  since: Time;
};

export type RemoteActorsTable = {
  actor_uri: string;
  type: string;
  featured_uri: string | null;
  fetched_at: Time;
};
