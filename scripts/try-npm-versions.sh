#!/usr/bin/env bash
# Installs a copy of this working tree with several npm versions, each from an
# empty cache, and runs a few tests, to see that every one of them brings Node 26.
# By hand, after a change to dependencies or to link-node.cjs:
#   scripts/try-npm-versions.sh [npm version …]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

versions=("$@")
[ ${#versions[@]} -gt 0 ] || versions=(10.8.3 10.9.4 11.6.2 11)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=()

try() {
  local version=$1 home="$work/$1"
  mkdir -p "$home/kith" "$home/npm"
  npm install --silent --prefix "$home/npm" "npm@$version" >/dev/null
  npm() { node "$home/npm/node_modules/npm/bin/npm-cli.js" "$@"; }
  git ls-files -z --cached --others --exclude-standard |
    while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
    tar --null --files-from=- --create | tar --extract --directory "$home/kith"
  cd "$home/kith"
  export npm_config_cache="$home/cache"
  echo "--- npm $(npm --version), on Node $(node --version)"
  npm ci --no-audit --no-progress </dev/null
  echo "node_modules/.bin/node: $(node_modules/.bin/node --version)"
  [[ $(node_modules/.bin/node --version) == v26.* ]]
  npm exec --no -- node --version
  npm test -- test/house </dev/null | tail -n 1
}

for version in "${versions[@]}"; do
  if (set -euo pipefail; try "$version"); then :; else failed+=("$version"); fi
done

if [ ${#failed[@]} -gt 0 ]; then
  echo "failed with npm ${failed[*]}"
  exit 1
fi
echo "Node 26 came with npm ${versions[*]}"
