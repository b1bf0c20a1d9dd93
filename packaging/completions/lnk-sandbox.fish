# SPDX-License-Identifier: Apache-2.0
# Completion of lnk-sandbox for fish.

set -l commands run wrap launch describe why approve forget secret log modules check schema init
set -l none "not __fish_seen_subcommand_from $commands"

complete -c lnk-sandbox -f
complete -c lnk-sandbox -n $none -l module-dir -x -a '(__fish_complete_directories)' -d 'Also look for modules there'
complete -c lnk-sandbox -n $none -l version -d 'Print the version'
complete -c lnk-sandbox -l help -d 'Print help'
complete -c lnk-sandbox -n $none -a run -d 'Run a command in a sandbox'
complete -c lnk-sandbox -n $none -a wrap -d 'Print the command to run instead'
complete -c lnk-sandbox -n $none -a launch -d 'Start from a kept snapshot'
complete -c lnk-sandbox -n $none -a describe -d 'Say what a spec opens'
complete -c lnk-sandbox -n $none -a why -d 'Say whether one thing is allowed, and what decides'
complete -c lnk-sandbox -n $none -a approve -d 'Remember the approval of a spec'
complete -c lnk-sandbox -n $none -a forget -d 'Drop the approval of a spec'
complete -c lnk-sandbox -n $none -a secret -d 'Secrets that the wire puts in'
complete -c lnk-sandbox -n $none -a log -d 'Show the wire\'s log'
complete -c lnk-sandbox -n $none -a modules -d 'List the modules'
complete -c lnk-sandbox -n $none -a check -d 'Tell by doing what this machine can hold'
complete -c lnk-sandbox -n $none -a schema -d 'Print the spec\'s JSON Schema'
complete -c lnk-sandbox -n $none -a init -d 'Make a starter spec for the current folder'

complete -c lnk-sandbox -n '__fish_seen_subcommand_from run wrap describe why approve forget' -l spec -r -F -d 'The spec'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from run' -l read -r -F -d 'A file or folder it may read'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from run' -l write -r -F -d 'A file or folder it may write'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from run' -l hide -r -F -d 'A folder that is closed'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from run' -l host -x -d 'A host it may reach'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from run' -l env -x -a '(set -xn)' -d 'A variable passed or set'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from run' -l secret -x -d 'A kept secret'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from run' -l name -x -d 'The sandbox\'s name in logs'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from run' -l yes -d 'Approve and remember'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from run wrap launch' -a '(__fish_complete_subcommand)'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from wrap' -l own -r -F -d 'A folder of its own'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from wrap' -l approved -d 'The caller has asked'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from launch' -l settings -x -a '(__fish_complete_directories)' -d 'The settings folder'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from launch' -l snapshot -x -d 'The hash'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from why' -a 'path write host program'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from describe' -l plan -d 'The launch plan'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from secret; and not __fish_seen_subcommand_from add list remove' -a 'add list remove'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from add' -l rule -r -F -d 'The rule'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from log' -l follow -d 'Go on as lines come'
complete -c lnk-sandbox -n '__fish_seen_subcommand_from wrap describe why list log modules check' -l json -d 'One JSON value'
