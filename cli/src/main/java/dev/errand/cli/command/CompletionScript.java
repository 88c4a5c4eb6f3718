package dev.errand.cli.command;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes the completion script of a shell. Commands and options are in the script; tasks are listed
 * on each completion by {@code errand completion tasks}, which prints nothing if no daemon runs.
 */
final class CompletionScript {
  private final List<Vocabulary> verbs;

  CompletionScript(List<Vocabulary> verbs) {
    this.verbs = List.copyOf(verbs);
  }

  String bash() {
    return """
    # For bash: source <(errand completion bash)
    _errand() {
      local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}
      local verbs='%s' options='' arguments=nothing i
      COMPREPLY=()
      if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$verbs" -- "$cur"))
        return
      fi
      # What stands behind -- is the command line of another program.
      for ((i = 2; i < COMP_CWORD; i++)); do
        if [ "${COMP_WORDS[i]}" = -- ]; then
          if [ "$i" -eq "$((COMP_CWORD - 1))" ]; then
            COMPREPLY=($(compgen -c -- "$cur"))
          else
            COMPREPLY=($(compgen -f -- "$cur"))
          fi
          return
        fi
      done
      case $verb in
    %s  esac
      case "$verb $prev" in
    %s  esac
      case $cur in
        -*)
          COMPREPLY=($(compgen -W "$options" -- "$cur"))
          return
          ;;
      esac
      case $arguments in
        tasks)
          COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" completion tasks 2>/dev/null | cut -f 1)" -- "$cur"))
          ;;
        files) COMPREPLY=($(compgen -f -- "$cur")) ;;
        programs) COMPREPLY=($(compgen -c -- "$cur")) ;;
        verbs) COMPREPLY=($(compgen -W "$verbs" -- "$cur")) ;;
        words:*) COMPREPLY=($(compgen -W "${arguments#words:}" -- "$cur")) ;;
      esac
    }
    complete -F _errand errand
    """
        .formatted(names(), lines(this::bashVerb), valued());
  }

  private String bashVerb(Vocabulary verb) {
    return "    %s) options='%s' arguments='%s' ;;\n"
        .formatted(verb.verb(), String.join(" ", optionNames(verb)), word(verb.arguments()));
  }

  String zsh() {
    return """
    #compdef errand
    # For zsh: source <(errand completion zsh), or a file _errand in a folder of fpath.
    _errand() {
      local cur=$words[CURRENT] prev=$words[CURRENT-1] arguments=nothing
      local -a verbs options found
      verbs=(
    %s  )
      if (( CURRENT == 2 )); then
        _describe verb verbs
        return
      fi
      # What stands behind -- is the command line of another program.
      local -i border=${words[(i)--]}
      if (( border < CURRENT )); then
        if (( border == CURRENT - 1 )); then _command_names -e; else _files; fi
        return
      fi
      case $words[2] in
    %s  esac
      case "$words[2] $prev" in
    %s  esac
      if [[ $cur == -* ]]; then
        _describe option options
        return
      fi
      case $arguments in
        tasks)
          found=(${(f)"$($words[1] completion tasks 2>/dev/null | tr '\\t' ':')"})
          _describe task found
          ;;
        files) _files ;;
        programs) _command_names -e ;;
        verbs) _describe verb verbs ;;
        words:*)
          found=(${=arguments#words:})
          _describe word found
          ;;
      esac
    }
    # The first time that a file of fpath is read, somebody waits for an answer already.
    if [[ -n ${CURRENT-} ]]; then _errand "$@"; else compdef _errand errand; fi
    """
        .formatted(
            lines(it -> "    %s\n".formatted(quoted(it.verb() + ":" + it.summary()))),
            lines(this::zshVerb),
            valued());
  }

  private String zshVerb(Vocabulary verb) {
    var options =
        verb.options().stream()
            .flatMap(option -> option.names().stream().map(it -> it + ":" + option.description()))
            .map(CompletionScript::quoted)
            .collect(Collectors.joining(" "));
    return "    %s) arguments='%s' options=(%s) ;;\n"
        .formatted(verb.verb(), word(verb.arguments()), options);
  }

  String fish() {
    var text = new StringBuilder();
    text.append("# For fish: errand completion fish | source\n");
    text.append("complete -c errand -f\n");
    for (var verb : verbs) {
      text.append(
          "complete -c errand -n __fish_use_subcommand -a %s -d %s\n"
              .formatted(verb.verb(), fishQuoted(verb.summary())));
      var here = "complete -c errand -n '__fish_seen_subcommand_from " + verb.verb() + "'";
      text.append(here).append(fishWords(verb.arguments())).append('\n');
      verb.options().forEach(it -> text.append(here).append(fishOption(it)).append('\n'));
    }
    return text.toString();
  }

  private String fishOption(Vocabulary.Option option) {
    var text = new StringBuilder();
    for (var name : option.names()) {
      text.append(name.startsWith("--") ? " -l " : " -s ").append(name.replaceFirst("^--?", ""));
    }
    if (option.valued()) {
      text.append(" -r").append(fishWords(option.value()));
    }
    return text.append(" -d ").append(fishQuoted(option.description())).toString();
  }

  private String fishWords(Vocabulary.Words words) {
    return switch (words) {
      case Vocabulary.Words.Nothing() -> " -f";
      case Vocabulary.Words.Tasks() -> " -f -a '(errand completion tasks 2>/dev/null)'";
      case Vocabulary.Words.Files() -> " -F";
      case Vocabulary.Words.Programs() -> " -F -a '(__fish_complete_subcommand --fcs-skip=2)'";
      case Vocabulary.Words.Commands() -> " -f -a " + fishQuoted(names());
      case Vocabulary.Words.OneOf(var all) -> " -f -a " + fishQuoted(String.join(" ", all));
    };
  }

  /** For options with a value: the kind of the value, in place of the arguments. */
  private String valued() {
    return verbs.stream()
        .flatMap(verb ->
            verb.options().stream()
                .filter(Vocabulary.Option::valued)
                .map(it ->
                    "    %s) options='' arguments='%s' ;;\n"
                        .formatted(
                            it.names().stream()
                                .map(name -> "'" + verb.verb() + " " + name + "'")
                                .collect(Collectors.joining("|")),
                            word(it.value()))))
        .collect(Collectors.joining());
  }

  private static String word(Vocabulary.Words words) {
    return switch (words) {
      case Vocabulary.Words.Nothing() -> "nothing";
      case Vocabulary.Words.Tasks() -> "tasks";
      case Vocabulary.Words.Files() -> "files";
      case Vocabulary.Words.Programs() -> "programs";
      case Vocabulary.Words.Commands() -> "verbs";
      case Vocabulary.Words.OneOf(var all) -> "words:" + String.join(" ", all);
    };
  }

  private interface Line {
    String of(Vocabulary verb);
  }

  private String lines(Line line) {
    return verbs.stream().map(line::of).collect(Collectors.joining());
  }

  private String names() {
    return verbs.stream().map(Vocabulary::verb).collect(Collectors.joining(" "));
  }

  private static List<String> optionNames(Vocabulary verb) {
    return verb.options().stream().flatMap(it -> it.names().stream()).toList();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  private static String fishQuoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
