# Prints on both streams, in two steps, a secret among it; the last line without its newline.
echo 'one'
sleep 0.05
echo "{\"key\":\"$CANARY_TOKEN\"}"
echo "oops $CANARY_TOKEN" >&2
printf 'thr\303\251e'
