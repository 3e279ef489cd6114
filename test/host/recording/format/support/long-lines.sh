# Lines of a megabyte between short ones, each in many writes; waits for the file $1 after the first.
echo 'ready'
while [ ! -e "$1" ]; do sleep 0.02; done
for i in 1 2 3; do
  printf "$i " && head -c 1000000 /dev/zero | tr '\0' x
  echo
  echo "{\"number\":$i}"
  echo "note $i" >&2
  sleep 0.1
done
printf 'the end'
