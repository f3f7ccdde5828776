// Pages that others lead to, without knowing more of them.

export const HOME = "/home";

/** The first steps of a newcomer. */
export const FIRST_STEPS = "/welcome";

/** Where somebody who lost the password asks for a new one. */
export const LOST_PASSWORD = "/users/password";
