#compdef harness
# zsh completion for harness: source <(harness completion zsh), after compinit
_harness() {
  local -a values
  local line rest
  while IFS= read -r line; do
    case $line in
      :*) rest=$line ;;
      *) values+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done < <(harness complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  [[ $words[CURRENT] == --*=* ]] && compset -P '*='
  (( $#values )) && _describe -t values harness values
  case $rest in
    :files) _files ;;
    :dirs) _files -/ ;;
  esac
}
if [[ $funcstack[1] == _harness ]]; then
  _harness "$@"
else
  compdef _harness harness
fi
