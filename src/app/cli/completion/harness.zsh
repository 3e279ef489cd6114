#compdef harness
# zsh completion for harness: source <(harness completion zsh), after compinit
_harness() {
  local -a values
  local line kind
  while IFS= read -r line; do
    case $line in
      :*) kind=$line ;;
      *) values+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done < <(harness complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  [[ $words[CURRENT] == --*=* ]] && compset -P '*='
  case $kind in
    :files) _files ;;
    :dirs) _files -/ ;;
    *) (( $#values )) && _describe -t values harness values ;;
  esac
}
if [[ $funcstack[1] == _harness ]]; then
  _harness "$@"
else
  compdef _harness harness
fi
