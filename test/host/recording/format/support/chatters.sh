# Ten different lines on each stream.
for i in 0 1 2 3 4 5 6 7 8 9; do
  echo "line $i"
  echo "warning $i" >&2
  [ $i != 4 ] || sleep 0.05
done
