#!/usr/bin/env bash
# Gradescope runs this once, as root, in a plain Debian or Ubuntu image. AUTOGRADER_ROOT is for trying it elsewhere.
set -euo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"

new_enough() { "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    for name in python3.14 python3.13 python3.12 python3.11 python3; do
        if command -v "$name" >/dev/null && new_enough "$name"; then echo "$name"; return; fi
    done
}

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# what shuts submissions in
apt-get install -qq -y --no-install-recommends bubblewrap libseccomp2
python="$(find_python)"
if [ -z "$python" ]; then apt-get install -qq -y --no-install-recommends python3 python3-venv; python="$(find_python)"; fi
for version in 3.13 3.12 3.11; do
    if [ -n "$python" ]; then break; fi
    apt-get install -qq -y --no-install-recommends "python$version" "python$version-venv" || true
    python="$(find_python)"
done
if [ -z "$python" ]; then echo "There is no Python 3.11 or newer for this image; choose a newer one." >&2; exit 1; fi

"$python" "$root/source/project/tools/setup.py" lab
