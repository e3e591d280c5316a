#!/bin/sh
# From each format to each other, nothing gets lost that wick does not report.
. "$(dirname "$0")/lib.sh"

python3 "$tests/consumers/full.py" >everything
python3 "$tests/cli/pairs.py" "$WICK" everything
