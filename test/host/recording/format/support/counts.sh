# Waits for the file $1 after its first line, then counts to $2.
echo 'ready'
while [ ! -e "$1" ]; do sleep 0.02; done
i=0
while [ $i -lt "$2" ]; do
  i=$((i + 1))
  echo "number $i"
  [ $((i % 20)) != 0 ] || sleep 0.01
done
