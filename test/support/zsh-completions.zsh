# Prints what zsh offers when Tab is pressed after the given line: zsh -f zsh-completions.zsh 'harness der'
zmodload zsh/zpty
zpty shell zsh -f -i
setup=$(mktemp)
cat > $setup <<'EOF'
PROMPT=
autoload -Uz compinit
compinit -D -u
source <(harness completion zsh)
bindkey '^I' complete-word
mark() { print -r -- "<mark>" }
compprefuncs=(mark)
comppostfuncs=(mark exit)
# Print the matches instead of inserting them.
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- $hits
  builtin compadd "$@"
}
print ready
EOF
zpty -w shell "source $setup"
while zpty -r shell line; do [[ $line == *ready* ]] && break; done
rm -f $setup
zpty -w -n shell "$1"$'\t'
inside=0
while zpty -r shell line; do
  if [[ $line == *'<mark>'* ]]; then
    (( inside++ )) && break
  elif (( inside )); then
    print -r -- ${line%$'\r\n'}
  fi
done
zpty -d shell
