/** The page of one's own calendars. */
export const CALENDARS = "/settings/calendars";
