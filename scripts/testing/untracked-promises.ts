import asyncHooks from "node:async_hooks";

const { createHook } = asyncHooks;

/**
 * Node's test runner tracks every promise of a process, so that an error that nobody
 * catches fails the test that caused it. That took a quarter of the time of all tests.
 * Without it such an error fails its file instead.
 */
asyncHooks.createHook = (options) =>
  createHook({ trackPromises: false, ...options });
