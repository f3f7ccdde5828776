/** `npm run test:long` plays everything in every combination; `npm test` has twenty minutes. */
export const IS_LONG_RUN = process.env["KITH_TEST_LONG"] === "1";
