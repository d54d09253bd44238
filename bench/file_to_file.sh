#!/usr/bin/env bash
# bench/file_to_file.sh [FOLDER] [SECONDS]: reference and band-pass from file to file, 384 channels, beside plain
# copies of the same bytes: one that reads the input, one that writes as much as the output.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-${TMPDIR:-/tmp}/weir-file-to-file}
seconds=${2:-60}
weir=$PWD/build/release/bin/weir
mkdir -p "$folder"
[ -f "$folder/in-$seconds.bin" ] ||
  "$weir" generate neuropixels "$folder/in-$seconds.bin" --set "duration_s=$seconds" --set seed=1
cat >"$folder/spec.toml" <<SPEC
weir_pipeline = 1
nodes = [
  {id = "raw", op = "read", path = "in-$seconds.bin"},
  {id = "ref", op = "common_reference", statistic = "mean"},
  {id = "band", op = "iir", band = "bandpass", cutoff_hz = [300, 6000]},
  {id = "out", op = "write", path = "out.bin", dtype = "int16"},
]
[execution]
memory = "256 MiB"
SPEC

timed() { # seconds of the command, and its peak memory where /usr/bin/time is there
  local name=$1 began ended
  shift
  began=$(date +%s.%N)
  "$@" >/dev/null
  ended=$(date +%s.%N)
  awk -v name="$name" -v s="$(echo "$ended $began" | awk '{print $1 - $2}')" 'BEGIN {printf "%-8s %8.3f s\n", name, s}'
}

for round in 1 2 3; do
  echo "round $round"
  rm -f "$folder/copy.bin" "$folder"/out.bin*  # Neither pays for deleting what was there.
  timed copy sh -c "cp '$folder/in-$seconds.bin' '$folder/copy.bin' && sync '$folder/copy.bin'"
  timed weir sh -c "'$weir' run '$folder/spec.toml' && sync '$folder/out.bin'"
done
rm -f "$folder/copy.bin"
