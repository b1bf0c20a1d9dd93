# SPDX-License-Identifier: Apache-2.0
# Completion of lnk-sandbox for bash.

_lnk_sandbox_command() {
  # The command, and for `key`, `secret`, `tool` and `on-stop` its own; nothing before the first word that is no option.
  local i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --module-dir) ((i++)) ;;
      sandbox | -*) ;;
      key | secret | tool | on-stop)
        local next=${COMP_WORDS[i + 1]:-}
        if ((i + 1 < COMP_CWORD)); then echo "${COMP_WORDS[i]}-$next"; else echo "${COMP_WORDS[i]}"; fi
        return
        ;;
      *)
        echo "${COMP_WORDS[i]}"
        return
        ;;
    esac
  done
}

# Where the words of the command to run begin: at --, or at the first word that is neither an option nor its value.
_lnk_sandbox_target() {
  local i seen=0
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --) ((seen)) && echo $((i + 1)) && return ;;
      --module-dir | --spec | --read | --write | --hide | --own | --allow-command | --host | --port | --tcp | --env | --model | --secret | --tool | --name | --resource | --region | --settings | --snapshot) ((i++)) ;;
      -*) ;;
      sandbox) ((seen)) && echo "$i" && return ;;
      *)
        ((seen)) && echo "$i" && return
        seen=1
        ;;
    esac
  done
}

_lnk_sandbox() {
  local providers='anthropic openai gemini mistral groq xai deepseek openrouter together fireworks cohere perplexity azure bedrock vertex'
  local rules='discord github linear notion slack stripe telegram'
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command target
  command=$(_lnk_sandbox_command)
  COMPREPLY=()
  case $command in
    run | wrap | launch | learn)
      target=$(_lnk_sandbox_target)
      if [[ -n $target ]]; then
        if declare -F _command_offset >/dev/null; then
          _command_offset "$target"
        else
          mapfile -t COMPREPLY < <(compgen -c -- "$current")
        fi
        return
      fi
      ;;
  esac
  case $command$previous in
    secret-add--rule)
      mapfile -t COMPREPLY < <(compgen -W "$rules" -- "$current"; compgen -f -- "$current")
      compopt -o filenames 2>/dev/null
      return
      ;;
  esac
  case $previous in
    --spec | --rule | --read | --write | --hide | --own)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      compopt -o filenames 2>/dev/null
      return
      ;;
    --module-dir | --settings | --root)
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      compopt -o filenames 2>/dev/null
      return
      ;;
    --allow-command)
      mapfile -t COMPREPLY < <(compgen -c -f -- "$current")
      return
      ;;
    --env)
      mapfile -t COMPREPLY < <(compgen -e -- "$current")
      return
      ;;
    --host | --port | --tcp | --name | --snapshot | --secret | --tool | --resource | --region | --allow | --url | --header) return ;;
    --ask)
      mapfile -t COMPREPLY < <(compgen -W 'all none' -- "$current")
      return
      ;;
    --model)
      mapfile -t COMPREPLY < <(compgen -W "$providers" -- "$current")
      return
      ;;
  esac
  local words
  if [[ $command =~ ^(run|wrap|launch|learn)$ && $current != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -c -- "$current")
    return
  fi
  case $command in
    '') words='run wrap launch learn describe why approve forget key secret tool log paused resume stop answer on-stop mcp-remote modules check schema init --module-dir --version --help' ;;
    run) words='--spec --read --write --hide --allow-command --host --port --tcp --env --model --secret --tool --open --name --yes --help --' ;;
    wrap) words='--spec --own --rule --approved --json --help --' ;;
    learn) words='--spec --help --' ;;
    launch) words='--settings --snapshot --help --' ;;
    describe) words='--spec --plan --json --help' ;;
    why) words='path write host program --spec --json --help' ;;
    approve | forget) words='--spec --help' ;;
    key | secret | tool | on-stop) words='add list remove --help' ;;
    key-add) words="$providers --resource --region --help" ;;
    key-remove) words="$providers --help" ;;
    tool-add) words='--allow --ask --root --env --url --header --help --' ;;
    secret-add) words='--rule --help' ;;
    key-list | secret-list | tool-list | on-stop-list | paused | answer | modules | check) words='--json --help' ;;
    on-stop-add) words='--help --' ;;
    mcp-remote) words='--settings --tool --help' ;;
    log) words='--follow --json --help' ;;
    *) words='--help' ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -F _lnk_sandbox lnk-sandbox
