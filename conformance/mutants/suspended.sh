#!/bin/sh
# Suspends a program at several steps, goes on from the file on the other engine, and compares the output with that of the
# whole run. Arguments: the command, and a file with that output, which is made if it is not there (without a mutant).
set -e
vlad=$1 expected=$2
program=$(dirname "$0")/suspended.vlad
[ -s "$expected" ] || "$vlad" --engine interp "$program" > "$expected"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
first=interp second=hybrid
for steps in 3 40 300 900 1100 1500 2200 2600 3000 3500; do
  "$vlad" suspend --engine $first --after "$steps" -o "$folder/capsule" "$program" > "$folder/output"
  "$vlad" resume --engine $second "$folder/capsule" >> "$folder/output"
  cmp -s "$folder/output" "$expected"
  other=$first first=$second second=$other
done
