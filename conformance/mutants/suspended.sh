#!/bin/sh
# Suspends a program at several steps, goes on from the file on the other engine, and compares the output with that of the
# whole run. Arguments: the command, and a file with that output, which is made if it is not there (without a mutant).
set -e
vlad=$1 expected=$2
program=$(dirname "$0")/suspended.vlad
[ -s "$expected" ] || "$vlad" --engine interp "$program" > "$expected"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for steps in 3 300 900 1500 2200 3000 3500; do
  "$vlad" suspend --engine interp --after "$steps" -o "$folder/capsule" "$program" > "$folder/output"
  "$vlad" resume --engine hybrid "$folder/capsule" >> "$folder/output"
  cmp -s "$folder/output" "$expected"
done
