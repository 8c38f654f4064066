#!/bin/sh
# Runs main.mjs unless everything that it looks at is as it was after its last run: same files, sizes and times, same
# machine. Starting Node to learn that nothing changed would cost more than most commands.
# `setup.sh run` is for running the service, `setup.sh dev` for everything else.
level=${1:-dev}
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P) || exit 1
seen_file=$root/node_modules/.sliproad-seen-$level

# The times of a change cannot be set back, unlike those of the content. A file that is missing makes this fail.
look() {
  cd "$root" || return
  uname -nsm || return
  set -- package-lock.json scripts/setup node_modules/.sliproad-lock build/.stamp dashboard/dist/.stamp \
    src sdk/src contracts/artefacts dashboard
  [ -e node_modules/.bin/node ] && set -- "$@" node_modules/.bin/node
  case $(uname -s) in
    Darwin) find -L "$@" \( -name node_modules -o -name 'dist*' \) -prune -o -exec stat -L -f '%N %z %Fm %Fc' {} + ;;
    *) find -L "$@" \( -name node_modules -o -name 'dist*' \) -prune -o -printf '%p %s %T@ %C@\n' ;;
  esac
}

# Read before the check: what changes while it runs is another state than this one.
if now=$(look 2>/dev/null); then
  [ -f "$seen_file" ] && [ "$now" = "$(cat "$seen_file")" ] && exit 0
else
  now=
fi
node "$root/scripts/setup/main.mjs" "$level" || exit
[ -n "$now" ] || exit 0
# Two may do this at once, and the directory may belong to another user.
{ printf '%s\n' "$now" >"$seen_file.$$" && mv "$seen_file.$$" "$seen_file"; } 2>/dev/null || rm -f "$seen_file.$$" 2>/dev/null
exit 0
