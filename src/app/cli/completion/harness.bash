# bash completion for harness: source <(harness completion bash)
_harness_complete() {
  local -a args=() files=()
  local arg previous= value description typed
  # Bash splits --agent=cl and adapter:check; harness gets them whole.
  for arg in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#args[@]} -gt 0 && ($arg == [=:] || $previous == [=:]) ]]; then
      args[${#args[@]} - 1]+=$arg
    else
      args+=("$arg")
    fi
    previous=$arg
  done
  typed=${args[${#args[@]} - 1]}
  [[ $typed == --*=* ]] && typed=${typed#*=}
  COMPREPLY=()
  while IFS=$'\t' read -r value description; do
    case $value in
      :files)
        if [[ ${#COMPREPLY[@]} -gt 0 ]]; then
          mapfile -t files < <(compgen -f -- "$typed")
          [[ ${#files[@]} -gt 0 ]] && compopt -o filenames 2>/dev/null
          COMPREPLY+=("${files[@]}")
        fi
        ;;
      :dirs) compopt +o default -o dirnames 2>/dev/null ;;
      :none) compopt +o default 2>/dev/null ;;
      *) COMPREPLY+=("$value") ;;
    esac
  done < <(harness complete -- "${args[@]}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} -eq 1 && $COMPREPLY == *: ]] && compopt -o nospace 2>/dev/null
  # Bash replaces only what follows the last colon.
  if [[ $typed == *:* && $COMP_WORDBREAKS == *:* ]]; then
    COMPREPLY=("${COMPREPLY[@]#"${typed%"${typed##*:}"}"}")
  fi
}
complete -o default -F _harness_complete harness
