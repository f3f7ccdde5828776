import * as fs from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** The cache of npm on this system, where it has one: with it a step downloads nothing again. */
export function findNpmCache(): string | undefined {
  const folder =
    process.env["npm_config_cache"] ?? path.join(homedir(), ".npm");
  return fs.existsSync(folder) ? folder : undefined;
}

/**
 * The variables with which npm reaches its registry in a tree: it may be another one here than
 * npm's own.
 */
export function npmSettings(root: string): Record<string, string> {
  const home = path.join(root, "root");
  fs.mkdirSync(home, { recursive: true });
  const file = path.join(homedir(), ".npmrc");
  if (fs.existsSync(file)) fs.copyFileSync(file, path.join(home, ".npmrc"));
  const given = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_registry|npm_config_cafile|node_extra_ca_certs|https?_proxy|no_proxy)$/i.test(
      name,
    ),
  );
  const cached = { npm_config_prefer_offline: "true" };
  return { ...Object.fromEntries(given), ...cached, HOME: "/root" };
}
