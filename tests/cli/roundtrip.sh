#!/bin/sh
# Every format that is read, too, gives back what it can hold: of profiles that roundtrip.py generates.
. "$(dirname "$0")/lib.sh"

python3 "$tests/cli/roundtrip.py" "$WICK"
