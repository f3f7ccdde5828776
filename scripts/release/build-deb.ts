import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { root } from "../project-files.ts";

const DEPLOY = path.join(root, "deploy");
const HOME = "usr/lib/kith";

/** Debian's names for architectures. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: "amd64",
  arm64: "arm64",
};

/** Files of `deploy/`, and their places in the system. */
const PLACED: readonly (readonly [string, string, number])[] = [
  ["debian/kith", "usr/bin/kith", 0o755],
  ["debian/kith.toml", "etc/kith/kith.toml", 0o640],
  ["debian/kith.sysusers", "usr/lib/sysusers.d/kith.conf", 0o644],
  ["debian/kith.tmpfiles", "usr/lib/tmpfiles.d/kith.conf", 0o644],
  ["debian/postinst", "DEBIAN/postinst", 0o755],
  ["debian/prerm", "DEBIAN/prerm", 0o755],
  ["debian/postrm", "DEBIAN/postrm", 0o755],
];

/**
 * Makes a Debian package of an unpacked release.
 * @param released its folder, which moves into the package
 * @returns the path of the package, beside the archive
 */
export function buildDeb(
  released: string,
  version: string,
  folder: string,
): string {
  const architecture = ARCHITECTURES[process.arch];
  if (process.platform !== "linux" || architecture === undefined)
    throw new Error(`No Debian runs on ${process.platform}-${process.arch}`);
  const staged = path.join(path.dirname(released), "debian");
  fs.mkdirSync(path.join(staged, "usr/lib"), { recursive: true });
  fs.renameSync(released, path.join(staged, HOME));
  for (const [from, to, mode] of PLACED) {
    place(staged, to, fs.readFileSync(path.join(DEPLOY, from)), mode);
  }
  const unit = fs.readFileSync(path.join(DEPLOY, "kith.service"), "utf8");
  place(staged, "usr/lib/systemd/system/kith.service", adaptUnit(unit), 0o644);
  placeDocs(staged);
  place(staged, "DEBIAN/conffiles", "/etc/kith/kith.toml\n", 0o644);
  place(staged, "DEBIAN/control", describe(version, architecture), 0o644);
  const deb = path.join(folder, `kith_${version}_${architecture}.deb`);
  const args = ["--root-owner-group", "-Zxz", "-z6", "--build", staged, deb];
  execFileSync("dpkg-deb", args, { stdio: ["ignore", "ignore", "inherit"] });
  return deb;
}

/** The settings name the data directory. */
function adaptUnit(unit: string): string {
  const own = "/opt/kith/bin/kith serve --data-dir /var/lib/kith";
  if (!unit.includes(own)) throw new Error(`The unit does not start ${own}`);
  return unit.replace(own, `/${HOME}/bin/kith serve`);
}

/** Debian's places for the licence and the pages for operators. */
function placeDocs(staged: string): void {
  const docs = "usr/share/doc/kith";
  for (const page of ["install", "operations", "backup", "moderation"]) {
    const text = fs.readFileSync(path.join(staged, HOME, `docs/${page}.md`));
    place(staged, `${docs}/${page}.md`, text, 0o644);
  }
  const license = fs.readFileSync(path.join(staged, HOME, "LICENSE"));
  place(staged, `${docs}/copyright`, license, 0o644);
}

function place(
  staged: string,
  to: string,
  content: string | Buffer,
  mode: number,
): void {
  const file = path.join(staged, to);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content, { mode });
  // The umask may have taken bits away.
  fs.chmodSync(file, mode);
}

function describe(version: string, architecture: string): string {
  return `Package: kith
Version: ${version}
Architecture: ${architecture}
Section: net
Priority: optional
Maintainer: The Kith project <kith@kith.example>
Depends: libc6 (>= 2.28), libatomic1, libstdc++6, util-linux, systemd | systemd-standalone-sysusers, systemd | systemd-standalone-tmpfiles
Recommends: caddy | nginx
Description: federated social network server
 Kith keeps people, posts and calendars, and speaks the protocols of diaspora*
 and ActivityPub at once. It brings its own Node, and needs no other service.
`;
}
