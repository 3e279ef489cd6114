# fish completion for harness: harness completion fish | source
function __harness_complete
    set -l args (commandline -opc)
    set -l current (commandline -ct)
    # Fish replaces the whole argument: put back the --agent= of --agent=cl.
    set -l flag (string match -r -- '^--[^=]+=' "$current")
    set -l value (string replace -- "$flag" '' "$current")
    for line in (harness complete -- $args[2..-1] "$current" 2>/dev/null)
        set -l candidates $line
        switch $line
            case ':files'
                set candidates (__fish_complete_path "$value")
            case ':dirs'
                set candidates (__fish_complete_directories "$value")
            case ':none'
                set candidates
        end
        for candidate in $candidates
            echo -- "$flag$candidate"
        end
    end
end
complete -c harness -f -a '(__harness_complete)'
