import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { launchBrowser } from "../support/browser.ts";

test("the test run has a browser that renders a page", async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.setContent("<h1>Kith &amp; kin</h1>");
    assert.equal(await page.textContent("h1"), "Kith & kin");
  } finally {
    await browser.close();
  }
});

test("without one, the test fails with instructions", async () => {
  const before = process.env.KITH_TEST_BROWSER;
  delete process.env.KITH_TEST_BROWSER;
  try {
    await assert.rejects(launchBrowser(), /set KITH_TEST_BROWSER/);
  } finally {
    if (before !== undefined) process.env.KITH_TEST_BROWSER = before;
  }
});

test("the test run has a PostgreSQL in which tests create databases", async () => {
  const url = process.env.KITH_TEST_DATABASE_URL;
  assert.ok(url, "set KITH_TEST_DATABASE_URL, or see why npm test found none");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ major: number; makes: boolean }>(
      `select current_setting('server_version_num')::int / 10000 as major,
        rolcreatedb as makes from pg_roles where rolname = current_user`,
    );
    assert.deepEqual(rows, [{ major: 18, makes: true }]);
  } finally {
    await client.end();
  }
});
