#!/bin/sh
# npm test: format, lint and types beside the tests, whose first seconds leave a processor idle. What they find is printed at once.
# A failure of either fails the run.
node --require ./infra/requirements.cjs --eval '' || exit
said=$(mktemp)
trap 'rm -f "$said"' EXIT
{ npm run --silent lint && npm run --silent types; } >"$said" 2>&1 || { cat "$said"; exit 1; } &
checks=$!
npm run --silent test:run -- "$@"
tests=$?
wait "$checks" && exit "$tests"
