# bash completion for harness: source <(harness completion bash)
_harness_complete() {
  local -a words=()
  local word previous= value description
  # Bash splits --agent=cl at the equals sign; the question has it whole.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && ($word == "=" || $previous == "=") ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    previous=$word
  done
  COMPREPLY=()
  while IFS=$'\t' read -r value description; do
    case $value in
      :files) ;;
      :dirs) compopt +o default -o dirnames 2>/dev/null ;;
      :none) compopt +o default 2>/dev/null ;;
      *) COMPREPLY+=("$value") ;;
    esac
  done < <(harness complete -- "${words[@]}" 2>/dev/null)
}
complete -o default -F _harness_complete harness
